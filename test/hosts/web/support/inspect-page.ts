import type { Page } from "playwright-core";

/** Runs before the page's scripts: remembers what ran or was refused. */
export function setTrap(): void {
  const hits: string[] = [];
  Object.assign(window, { hits });
  Object.defineProperty(window, "canary", { set: () => hits.push("a script ran") });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, sample }) =>
    hits.push(`CSP: ${violatedDirective} ${sample}`),
  );
}

/** What the page as it stands has that no text may bring about: each as a line, at most 20. */
export function inspectPage(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = [...(window as unknown as { hits: string[] }).hits];
    const never =
      "script, iframe, frame, object, embed, img, picture, video, audio, source, style, link, base, meta, math, foreignObject, animate, template, portal, marquee";
    for (const element of document.querySelectorAll(never))
      if (element.closest("#app") !== null || (element.closest("head") === null && element.tagName !== "SCRIPT"))
        found.push(`an element: ${element.outerHTML.slice(0, 100)}`);
    const styles = new Set([
      ..."width height left top min-height padding-top padding-bottom transform --step".split(" "),
    ]);
    const written = new Set(
      "class href title target rel start type checked disabled tabindex role scope aria-label dir".split(" "),
    );
    for (const element of document.querySelectorAll("#app *")) {
      const isWritten = element.closest(".markdown") !== null && element.closest("button, figcaption") === null;
      for (const { name } of element.attributes) {
        if (/^on|^(?:src|srcset|srcdoc|formaction|action|ping|background|xlink:href|v-.*|@.*)$/i.test(name))
          found.push(`the attribute ${name}: ${element.outerHTML.slice(0, 100)}`);
        if (isWritten && !element.classList.contains("markdown") && !written.has(name) && !name.startsWith("data-v-"))
          found.push(`the attribute ${name} in an answer: ${element.outerHTML.slice(0, 100)}`);
      }
      if (element.hasAttribute("style"))
        for (const property of (element as HTMLElement).style)
          if (!styles.has(property)) found.push(`the style ${property}: ${element.outerHTML.slice(0, 100)}`);
      if (element.tagName.toLowerCase() !== "a") continue;
      const href = element.getAttribute("href") ?? "";
      const isOwn = /^(?:\/(?!\/)|#content$)/.test(href) && !isWritten;
      const isSafe = /^(?:https?|mailto):/.test(href) && element.getAttribute("rel") === "noopener noreferrer";
      if (!isOwn && !isSafe) found.push(`a link: ${element.outerHTML.slice(0, 100)}`);
    }
    const widest = (scroller: Element): string => {
      const isWide = (element: Element): boolean => element.scrollWidth > scroller.clientWidth + 1;
      const wide = [...scroller.querySelectorAll("*")].filter(
        (element) => isWide(element) && getComputedStyle(element).overflowX === "visible",
      );
      return wide.at(-1)?.outerHTML.slice(0, 200) ?? "";
    };
    for (const [name, scroller] of [
      ["page", document.documentElement],
      ["main", document.querySelector("main")],
      ["column", document.querySelector(".conversation .column")],
    ] as const)
      if (scroller && scroller.scrollWidth > scroller.clientWidth + 1)
        found.push(
          `the ${name} scrolls sideways: ${scroller.scrollWidth} of ${scroller.clientWidth}, ${widest(scroller)}`,
        );
    const composer = document.querySelector(".composer textarea")?.getBoundingClientRect();
    if (composer && !document.elementFromPoint(composer.x + 20, composer.y + 10)?.closest(".composer"))
      found.push("something covers the composer");
    return found.slice(0, 20);
  });
}
