export { sayDuration } from "../kernel/model/say-duration.ts";
