import { defineComponent, type FunctionalComponent, h, onUnmounted, shallowRef, watch } from "vue";
import CodeBlock from "./code-block.vue";
import { type Block, MarkdownBlocks } from "./markdown-blocks.ts";
import { renderTokens } from "./render-tokens.ts";

/** Of the time, what reading the text again may take while it streams. */
const SHARE = 0.2;

/** Rendered again only if its block is another object. */
const MarkdownBlock: FunctionalComponent<{ readonly block: Block }> = ({ block }) =>
  block.type === "code"
    ? h(CodeBlock, { language: block.language, text: block.text, isOpen: block.isOpen })
    : renderTokens([block.token]);
MarkdownBlock.props = ["block"];

/** An answer in Markdown, as text nodes and a fixed list of elements. While it streams, at most one reading per frame. */
export const MarkdownText = defineComponent({
  name: "MarkdownText",
  props: { text: { type: String, required: true }, isStreaming: Boolean },
  setup(props) {
    const source = new MarkdownBlocks();
    const blocks = shallowRef<readonly Block[]>([]);
    let costMs = 0;
    let readAt = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function read(): void {
      clearTimeout(timer);
      timer = undefined;
      readAt = performance.now();
      blocks.value = source.update(props.text);
      costMs = performance.now() - readAt;
    }
    watch(
      () => [props.text, props.isStreaming] as const,
      ([, isStreaming]) => {
        const restMs = readAt + costMs / SHARE - performance.now();
        if (!isStreaming || restMs <= 0) read();
        else timer ??= setTimeout(read, restMs);
      },
      { immediate: true },
    );
    onUnmounted(() => clearTimeout(timer));

    return () =>
      h(
        "div",
        { class: ["markdown", { streaming: props.isStreaming }] },
        blocks.value.map((block) => h(MarkdownBlock, { key: block.key, block })),
      );
  },
});
