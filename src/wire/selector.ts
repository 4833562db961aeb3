/** `provider/model`. Apart from the schemas, so that who only looks at a selector need not load them. */
export const SELECTOR = /^[^/\s]+\/\S+$/;
