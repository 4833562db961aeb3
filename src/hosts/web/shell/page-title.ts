import { shallowRef } from "vue";

/** Set by a page whose title is more than its name, such as a conversation's. Empty again when another page is opened. */
export const pageTitle = shallowRef("");
