/** A fault to choose from a menu: the name of a behaviour, and a short title. */
export interface SingleFault {
  readonly name: string;
  readonly title: string;
}

/** The faults that show most, from what passes by itself to what needs a person. Any other behaviour can be set by its name. */
export const SINGLE_FAULTS: readonly SingleFault[] = [
  { name: "overloaded", title: "Overloaded (529)" },
  { name: "rate-limited-4000", title: "Rate limited, wait 4 s (429)" },
  { name: "server-error", title: "Server error (500)" },
  { name: "fault-16", title: "Bad gateway, HTML page (502)" },
  { name: "timeout", title: "Gateway timeout (504)" },
  { name: "fault-6", title: "Connection reset" },
  { name: "fault-16-200", title: "HTML page instead of JSON (200)" },
  { name: "empty", title: "Empty answer" },
  { name: "silent", title: "Answer never begins" },
  { name: "stall-12", title: "Stalls in the middle" },
  { name: "cut-12", title: "Breaks off in the middle" },
  { name: "quota", title: "Quota used up" },
  { name: "overflow", title: "Conversation too long" },
  { name: "unauthorized", title: "Key rejected (401)" },
];
