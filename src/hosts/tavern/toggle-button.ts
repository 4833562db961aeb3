/** The script's button; its event in the host has the same name. */
export const TOGGLE_BUTTON = "Toggle Auto-Retry";
