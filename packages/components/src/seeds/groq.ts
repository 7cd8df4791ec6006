import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, number, text } from "../schema-words.ts";
import { openaiOperations } from "./openai-operations.ts";
import { answer, exampleFile, params, pass } from "./schema.ts";

const { chat, list_models } = openaiOperations("openai/gpt-oss-20b", "");
const audio = file("The audio: flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm");
const prompt = text("Words that occur, or the style");
const temperature = number("Randomness", { minimum: 0, maximum: 1 });
const transcript = { schema: answer({ text: text("The text") }) };

export const groq: ApiRecipe = {
	id: "groq",
	category: "ai",
	title: "Groq",
	description: "Fast chat, transcription and speech with models on Groq.",
	auth: "groq_key",
	base_url: "https://api.groq.com/openai/v1",
	docs_url: "https://console.groq.com/docs/api-reference",
	operations: {
		chat,
		list_models,
		transcribe: {
			title: "Transcribe speech",
			method: "POST",
			path: "/audio/transcriptions",
			params: params(
				{ file: audio },
				{
					model: text("The model's id", { default: "whisper-large-v3-turbo" }),
					language: text("Such as de; recognized if left out"),
					prompt,
					temperature,
				},
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "file", file: "{{params.file}}" },
					{ name: "model", text: "{{params.model}}" },
					{ name: "language", text: "{{params.language}}" },
					{ name: "prompt", text: "{{params.prompt}}" },
					{ name: "temperature", text: "{{params.temperature}}" },
				],
			},
			output: transcript,
			examples: [{ title: "A recording", params: { file: exampleFile("call.mp3", "audio/mpeg") } }],
		},
		translate_speech: {
			title: "Transcribe speech in English",
			method: "POST",
			path: "/audio/translations",
			params: params(
				{ file: audio },
				{ model: text("The model's id", { default: "whisper-large-v3" }), prompt, temperature },
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "file", file: "{{params.file}}" },
					{ name: "model", text: "{{params.model}}" },
					{ name: "prompt", text: "{{params.prompt}}" },
					{ name: "temperature", text: "{{params.temperature}}" },
				],
			},
			output: transcript,
			examples: [{ title: "A recording", params: { file: exampleFile("call.mp3", "audio/mpeg") } }],
		},
		speak: {
			title: "Convert text to speech",
			method: "POST",
			path: "/audio/speech",
			params: params(
				{ input: text("The text", { minLength: 1 }), voice: text("A voice of the model, such as hannah") },
				{
					model: text("The model's id", { default: "canopylabs/orpheus-v1-english" }),
					response_format: choice(["wav", "mp3", "flac", "ogg"], "Format of the audio", { default: "wav" }),
					name: text("Name of the file", { default: "speech.wav" }),
				},
			),
			body: { kind: "json", value: pass("model", "input", "voice", "response_format") },
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The audio") },
			examples: [{ title: "A sentence", params: { input: "The server is down.", voice: "hannah" } }],
		},
	},
};
