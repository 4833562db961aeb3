export const EXAMPLE_NAMES = ["curl", "Python", "JavaScript"] as const;
export type ExampleName = (typeof EXAMPLE_NAMES)[number];

/** A first call of a program to this server. */
export function exampleOf(name: ExampleName, origin: string): string {
  switch (name) {
    case "curl":
      return `curl -N ${origin}/chat \\
  -H 'content-type: application/json' \\
  -d '{"message": "Hello"}'`;
    case "Python":
      return `import json, urllib.request

request = urllib.request.Request(
    "${origin}/chat",
    data=json.dumps({"message": "Hello"}).encode(),
    headers={"content-type": "application/json"},
)
for line in urllib.request.urlopen(request):
    print(json.loads(line))`;
    case "JavaScript":
      return `const response = await fetch("${origin}/chat", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message: "Hello" }),
});
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) console.log(chunk);`;
    default:
      return name satisfies never;
  }
}
