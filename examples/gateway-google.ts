import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({
  apiKey: process.env.GEMINI_API_KEY ?? "",
  httpOptions: { baseUrl: process.env.GOOGLE_GEMINI_BASE_URL ?? "http://127.0.0.1:4747" },
});

const answer = await client.models.generateContent({ model: "gemini-flash-latest", contents: "Why is the sky blue?" });
console.log(answer.text);
