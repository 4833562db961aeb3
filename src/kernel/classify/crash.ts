import { near, wording } from "./wording.ts";

/** What runs a model. "process" alone is none of them: a client's own command is one too. */
const ENGINE =
  /\b(?:model|engine(?:core)?|actor|daemon|runner|worker|executor|backend|scheduler|inference server|llm server|instance|container|replica|pod|gpu|kernel|predictor|runtime|server process|model process|upstream)s?\b/;
const DIED = wording(
  /crash(?:ed)?\b|\bdied\b|is dead|panick?ed|\bkilled\b|exited|unexpectedly (?:stopped|terminated|exited)|(?:stopped|terminated|exited) unexpectedly/,
  /no longer running|is not running|has terminated|threw (?:an )?exception|raised an exception|hit an error|failed to start|failed (?:process|to process|while processing)/,
);

/** A process that is no more, whatever its last words were about. */
export const PROCESS_DIED =
  /terminate called|core dumped|segmentation fault|signal:? (?:killed|aborted|segmentation)|\bsig(?:segv|abrt|kill|bus|ill)\b/;

/** The engine or server behind the endpoint broke down: which words, in lower case, say so. */
export const CRASH = wording(
  PROCESS_DIED,
  near(ENGINE, DIED, 32),
  /\bserver (?:has |was )?(?:died|crashed|killed|panick)|error[^\n]{0,16} on (?:the (?:server|provider|upstream)|our (?:end|side|servers?)|their (?:end|side))|(?:went wrong|problem|issue|failure) on (?:the (?:server|provider|upstream|backend)|their)|(?:problem|issue|trouble|fault)[^\n]{0,12} on our (?:end|side)|internal problem|servers? had (?:a |an )/,
  /assertion (?:failed|error)|(?:cuda|hip|rocm|vulkan|metal|nccl|cublas|cudnn|ggml)[\w ]{0,12}(?:error|failure|failed|assert)|illegal memory access|\b(?:llama|ggml)_\w{3,24}[^\n]{0,12}(?:fail|returned -?\d)|tensors? to be on|(?:cuda|ggml|metal|vulkan|hip|triton|cublas|mlx)\w{0,24}\b[^\n]{0,40}(?:failed|invalid|\bnan\b)|(?:probability|logits?) (?:tensor|matrix)?[^\n]{0,24}\b(?:inf|nan)\b/,
  /panic detected|(?:what\(\)|libc\+\+abi): |device-side assert|(?:handler|worker) panic|unhandled exception in (?:the )?(?:worker|server|engine)/,
  // A server's log of a request that it answered, with the trace of what went wrong after that.
  /"(?:post|get) \/[^"\n]{1,200} http\/[\d.]{1,3}" \d{3}[^\n]{0,20}\n[\s\S]{0,400}traceback \(most recent call last\)/,
  /(?:check|see) the (?:server|backend|worker|engine) (?:console|logs?)/,
);
