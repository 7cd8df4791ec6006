import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, number, text } from "../schema-words.ts";
import { answer, exampleFile, object, orNull, params, pass } from "./schema.ts";

const VOICE = "JBFqnCBsd6RMkjVDRZzb";
const voice_id = text("The voice's id, from list_voices");
const output_format = text("Such as mp3_44100_128, pcm_16000 or opus_48000_64", { default: "mp3_44100_128" });
const name = text("Name of the file", { default: "speech.mp3" });
const voice_settings = object("Such as { stability: 0.5, similarity_boost: 0.75, speed: 1 }");

export const elevenlabs: ApiRecipe = {
	id: "elevenlabs",
	category: "ai",
	title: "ElevenLabs",
	description: "Speech, sound effects and transcription with ElevenLabs.",
	auth: "elevenlabs_key",
	base_url: "https://api.elevenlabs.io",
	docs_url: "https://elevenlabs.io/docs/api-reference/introduction",
	operations: {
		speak: {
			title: "Convert text to speech",
			method: "POST",
			path: "/v1/text-to-speech/{voice_id}",
			params: params(
				{ voice_id, text: text("The text", { minLength: 1 }) },
				{
					model_id: text("The model's id, such as eleven_v3 or eleven_flash_v2_5", {
						default: "eleven_multilingual_v2",
					}),
					language_code: text("Such as de"),
					voice_settings,
					seed: integer("Makes results more repeatable", { minimum: 0 }),
					output_format,
					name,
				},
			),
			query: pass("output_format"),
			body: { kind: "json", value: pass("text", "model_id", "language_code", "voice_settings", "seed") },
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The audio") },
			examples: [{ title: "A sentence", params: { voice_id: VOICE, text: "The server is down." } }],
		},
		change_voice: {
			title: "Speak a recording with another voice",
			method: "POST",
			path: "/v1/speech-to-speech/{voice_id}",
			params: params(
				{ voice_id, audio: file("The recording") },
				{
					model_id: text("The model's id", { default: "eleven_multilingual_sts_v2" }),
					remove_background_noise: flag("Remove background noise"),
					output_format,
					name,
				},
			),
			query: pass("output_format"),
			body: {
				kind: "multipart",
				parts: [
					{ name: "audio", file: "{{params.audio}}" },
					{ name: "model_id", text: "{{params.model_id}}" },
					{ name: "remove_background_noise", text: "{{params.remove_background_noise}}" },
				],
			},
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The audio") },
			examples: [
				{ title: "A recording", params: { voice_id: VOICE, audio: exampleFile("call.mp3", "audio/mpeg") } },
			],
		},
		create_sound: {
			title: "Create a sound effect",
			method: "POST",
			path: "/v1/sound-generation",
			params: params(
				{ text: text("Description of the sound", { minLength: 1 }) },
				{
					duration_seconds: number("Length in seconds", { minimum: 0.5, maximum: 30 }),
					prompt_influence: number("How closely it follows the description", { minimum: 0, maximum: 1 }),
					output_format,
					name: { ...name, default: "sound.mp3" },
				},
			),
			query: pass("output_format"),
			body: { kind: "json", value: pass("text", "duration_seconds", "prompt_influence") },
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The audio") },
			examples: [{ title: "Rain", params: { text: "Rain on a tin roof", duration_seconds: 5 } }],
		},
		transcribe: {
			title: "Transcribe speech",
			method: "POST",
			path: "/v1/speech-to-text",
			params: params(
				{ file: file("The audio or video") },
				{
					model_id: text("The model's id", { default: "scribe_v2" }),
					language_code: text("Such as de; recognized if left out"),
					diarize: flag("Tell speakers apart"),
					num_speakers: integer("Maximum number of speakers", { minimum: 1, maximum: 32 }),
					timestamps_granularity: choice(["none", "word", "character"], "Times in the answer"),
				},
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "model_id", text: "{{params.model_id}}" },
					{ name: "language_code", text: "{{params.language_code}}" },
					{ name: "diarize", text: "{{params.diarize}}" },
					{ name: "num_speakers", text: "{{params.num_speakers}}" },
					{ name: "timestamps_granularity", text: "{{params.timestamps_granularity}}" },
					{ name: "file", file: "{{params.file}}" },
				],
			},
			output: {
				schema: answer({
					language_code: text("The language"),
					text: text("The text"),
					words: list(object("A word with its time and speaker"), "The words"),
				}),
			},
			examples: [
				{ title: "A recording", params: { file: exampleFile("call.mp3", "audio/mpeg"), diarize: true } },
			],
		},
		list_voices: {
			title: "List voices",
			method: "GET",
			path: "/v2/voices",
			params: params(
				{},
				{
					search: text("Words in the name, the description or the labels"),
					voice_type: text("Such as personal, community, default or saved"),
					page_size: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
					next_page_token: text("next_page_token of the previous page"),
				},
			),
			query: pass("search", "voice_type", "page_size", "next_page_token"),
			paginate: {
				by: "cursor",
				cursor: "next_page_token",
				more: "has_more",
				param: "next_page_token",
				items: "voices",
			},
			output: {
				schema: answer({
					voices: list(
						object("A voice", { voice_id, name: text("Its name"), labels: object("Accent, age and others") }),
						"The voices",
					),
					has_more: flag("Whether there are more"),
					next_page_token: orNull(text("Token of the next page")),
				}),
			},
			examples: [{ title: "Calm ones", params: { search: "calm" } }],
		},
		list_models: {
			title: "List models",
			method: "GET",
			path: "/v1/models",
			params: params({}),
			output: {
				schema: list(
					answer({
						model_id: text("Its id"),
						name: text("Its name"),
						languages: list(object("A language"), "Languages"),
					}),
					"The models",
				),
			},
			examples: [{ title: "All", params: {} }],
		},
		get_subscription: {
			title: "Get the subscription and what is used",
			method: "GET",
			path: "/v1/user/subscription",
			params: params({}),
			output: {
				schema: answer({
					tier: text("The plan"),
					character_count: integer("Characters used"),
					character_limit: integer("Characters in the period"),
				}),
			},
			examples: [{ title: "Now", params: {} }],
		},
	},
};
