/** The script's button, by which the host also knows its event. */
export const TOGGLE_BUTTON = "Toggle Auto-Retry";
