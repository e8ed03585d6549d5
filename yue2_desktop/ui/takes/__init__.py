"""The list of takes and of what is still to be made, with its dialogs; values go in, wishes come out as signals."""
