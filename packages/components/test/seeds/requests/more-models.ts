import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const messages = [{ role: "user", content: "Hello" }];
const completion = {
	id: "cmpl-e5cc70bb28c444948073e77776eb30ef",
	object: "chat.completion",
	model: "mistral-small-latest",
	choices: [{ index: 0, message: { role: "assistant", content: "Hi!" }, finish_reason: "stop" }],
	usage: { prompt_tokens: 16, completion_tokens: 34, total_tokens: 50 },
};
const contents = [{ role: "user", parts: [{ text: "Write a story about a magic backpack." }] }];
const geminiModel = {
	name: "models/gemini-3.5-flash",
	displayName: "Gemini 3.5 Flash",
	inputTokenLimit: 1_048_576,
	outputTokenLimit: 65_536,
	supportedGenerationMethods: ["generateContent", "countTokens"],
};
const audio = { filename: "chart ü.png", type: "image/png", content: PICTURE };
const mp3 = { answerHeaders: { "content-type": "audio/mpeg" }, answerBytes: PICTURE };

const gemini = toExchanges(
	{
		id: "gemini",
		authRecipe: "gemini_key",
		fields: { key: "test-gemini-key" },
		base: "https://generativelanguage.googleapis.com/v1beta",
		headers: { "x-goog-api-key": "test-gemini-key" },
	},
	{
		generate_content: {
			params: {
				model: "gemini-3.5-flash",
				contents,
				system: "You are a cat.",
				max_output_tokens: 800,
				response_mime_type: "application/json",
				response_schema: { type: "object" },
			},
			sends: "POST /models/gemini-3.5-flash:generateContent",
			json: {
				contents,
				systemInstruction: { parts: [{ text: "You are a cat." }] },
				generationConfig: {
					maxOutputTokens: 800,
					responseMimeType: "application/json",
					responseJsonSchema: { type: "object" },
				},
			},
			answer: {
				candidates: [
					{ content: { role: "model", parts: [{ text: "Meow" }] }, finishReason: "STOP", index: 0 },
				],
				usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, totalTokenCount: 10 },
				modelVersion: "gemini-3.5-flash",
			},
		},
		embed: {
			params: {
				model: "gemini-embedding-001",
				text: "Hello world",
				task_type: "SEMANTIC_SIMILARITY",
				dimensions: 768,
			},
			sends: "POST /models/gemini-embedding-001:embedContent",
			json: {
				content: { parts: [{ text: "Hello world" }] },
				taskType: "SEMANTIC_SIMILARITY",
				outputDimensionality: 768,
			},
			answer: { embedding: { values: [0.013, -0.008] } },
			output: [0.013, -0.008],
		},
		count_tokens: {
			params: { model: "gemini-3.5-flash", contents },
			sends: "POST /models/gemini-3.5-flash:countTokens",
			json: { contents },
			answer: { totalTokens: 10 },
		},
		list_models: {
			params: { page_size: 5, page_token: "Chhtb2RlbHMv" },
			sends: "GET /models?pageSize=5&pageToken=Chhtb2RlbHMv",
			answer: { models: [geminiModel], nextPageToken: "Chh" },
		},
		get_model: {
			params: { model: "gemini-3.5-flash" },
			sends: "GET /models/gemini-3.5-flash",
			answer: geminiModel,
		},
	},
);

const mistral = toExchanges(
	{
		id: "mistral",
		authRecipe: "mistral_key",
		fields: { token: "test-mistral-key" },
		base: "https://api.mistral.ai/v1",
		headers: { authorization: "Bearer test-mistral-key" },
	},
	{
		chat: {
			params: { model: "mistral-small-latest", messages, max_tokens: 100, random_seed: 1, safe_prompt: true },
			sends: "POST /chat/completions",
			json: { model: "mistral-small-latest", messages, max_tokens: 100, random_seed: 1, safe_prompt: true },
			answer: completion,
		},
		embed: {
			params: { model: "mistral-embed", input: ["Embed this sentence.", "As well as this one."] },
			sends: "POST /embeddings",
			json: { model: "mistral-embed", input: ["Embed this sentence.", "As well as this one."] },
			answer: {
				id: "embd-aad6fc62b17349b192ef09225058bc45",
				object: "list",
				model: "mistral-embed",
				data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }],
				usage: { prompt_tokens: 15, total_tokens: 15 },
			},
		},
		list_models: {
			sends: "GET /models",
			answer: {
				object: "list",
				data: [{ id: "mistral-small-latest", object: "model", owned_by: "mistralai" }],
			},
		},
		read_document: {
			params: {
				document: { type: "document_url", document_url: "https://arxiv.org/pdf/2201.04234" },
				pages: [0],
			},
			sends: "POST /ocr",
			json: {
				model: "mistral-ocr-latest",
				document: { type: "document_url", document_url: "https://arxiv.org/pdf/2201.04234" },
				pages: [0],
			},
			answer: {
				pages: [
					{ index: 0, markdown: "# Title", images: [], dimensions: { dpi: 200, height: 2200, width: 1700 } },
				],
				model: "mistral-ocr-latest",
				usage_info: { pages_processed: 1 },
			},
		},
		transcribe: {
			params: { file: picture, language: "en" },
			sends: "POST /audio/transcriptions",
			parts: [
				{ name: "model", content: "voxtral-mini-latest" },
				{ name: "language", content: "en" },
				{ name: "file", ...audio },
			],
			answer: { model: "voxtral-mini-latest", text: "Hello", language: "en", segments: [], usage: {} },
		},
		moderate: {
			params: { input: ["I like rain."] },
			sends: "POST /moderations",
			json: { model: "mistral-moderation-latest", input: ["I like rain."] },
			answer: {
				id: "mod-e5cc70bb28c444948073e77776eb30ef",
				model: "mistral-moderation-latest",
				results: [{ categories: { pii: false }, category_scores: { pii: 0.01 } }],
			},
		},
	},
);

const groq = toExchanges(
	{
		id: "groq",
		authRecipe: "groq_key",
		fields: { token: "gsk_test" },
		base: "https://api.groq.com/openai/v1",
		headers: { authorization: "Bearer gsk_test" },
	},
	{
		chat: {
			params: { model: "openai/gpt-oss-20b", messages, max_completion_tokens: 100 },
			sends: "POST /chat/completions",
			json: { model: "openai/gpt-oss-20b", messages, max_completion_tokens: 100 },
			answer: completion,
		},
		list_models: {
			sends: "GET /models",
			answer: { object: "list", data: [{ id: "openai/gpt-oss-20b", object: "model", owned_by: "OpenAI" }] },
		},
		transcribe: {
			params: { file: picture, language: "en", temperature: 0 },
			sends: "POST /audio/transcriptions",
			parts: [
				{ name: "file", ...audio },
				{ name: "model", content: "whisper-large-v3-turbo" },
				{ name: "language", content: "en" },
				{ name: "temperature", content: "0" },
			],
			answer: { text: "Your transcribed text appears here...", x_groq: { id: "req_unique_id" } },
		},
		translate_speech: {
			params: { file: picture, prompt: "Weather" },
			sends: "POST /audio/translations",
			parts: [
				{ name: "file", ...audio },
				{ name: "model", content: "whisper-large-v3" },
				{ name: "prompt", content: "Weather" },
			],
			answer: { text: "Your translated text appears here...", x_groq: { id: "req_unique_id" } },
		},
		speak: {
			params: { input: "I love building", voice: "hannah", name: "love.wav" },
			sends: "POST /audio/speech",
			json: {
				model: "canopylabs/orpheus-v1-english",
				input: "I love building",
				voice: "hannah",
				response_format: "wav",
			},
			answerHeaders: { "content-type": "audio/wav" },
			answerBytes: PICTURE,
			outputFile: { name: "love.wav", type: "audio/wav" },
		},
	},
);

const elevenlabs = toExchanges(
	{
		id: "elevenlabs",
		authRecipe: "elevenlabs_key",
		fields: { key: "test-elevenlabs-key" },
		base: "https://api.elevenlabs.io",
		headers: { "xi-api-key": "test-elevenlabs-key" },
	},
	{
		speak: {
			params: {
				voice_id: "JBFqnCBsd6RMkjVDRZzb",
				text: "The first move is what sets everything in motion.",
				voice_settings: { stability: 0.5 },
			},
			sends: "POST /v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=mp3_44100_128",
			json: {
				text: "The first move is what sets everything in motion.",
				model_id: "eleven_multilingual_v2",
				voice_settings: { stability: 0.5 },
			},
			...mp3,
			outputFile: { name: "speech.mp3", type: "audio/mpeg" },
		},
		change_voice: {
			params: { voice_id: "JBFqnCBsd6RMkjVDRZzb", audio: picture, remove_background_noise: true },
			sends: "POST /v1/speech-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=mp3_44100_128",
			parts: [
				{ name: "audio", ...audio },
				{ name: "model_id", content: "eleven_multilingual_sts_v2" },
				{ name: "remove_background_noise", content: "true" },
			],
			...mp3,
			outputFile: { name: "speech.mp3", type: "audio/mpeg" },
		},
		create_sound: {
			params: { text: "Spacious braam", duration_seconds: 5 },
			sends: "POST /v1/sound-generation?output_format=mp3_44100_128",
			json: { text: "Spacious braam", duration_seconds: 5 },
			...mp3,
			outputFile: { name: "sound.mp3", type: "audio/mpeg" },
		},
		transcribe: {
			params: { file: picture, diarize: true, num_speakers: 2 },
			sends: "POST /v1/speech-to-text",
			parts: [
				{ name: "model_id", content: "scribe_v2" },
				{ name: "diarize", content: "true" },
				{ name: "num_speakers", content: "2" },
				{ name: "file", ...audio },
			],
			answer: {
				language_code: "en",
				language_probability: 0.98,
				text: "Hello world!",
				words: [{ text: "Hello", start: 0, end: 0.5, type: "word", speaker_id: "speaker_1" }],
			},
		},
		list_voices: {
			params: { search: "calm", page_size: 10, next_page_token: "t1" },
			sends: "GET /v2/voices?search=calm&page_size=10&next_page_token=t1",
			answer: {
				voices: [{ voice_id: "21m00Tcm4TlvDq8ikWAM", name: "Rachel", labels: { accent: "American" } }],
				has_more: false,
				total_count: 1,
				next_page_token: null,
			},
		},
		list_models: {
			sends: "GET /v1/models",
			answer: [
				{
					model_id: "eleven_multilingual_v2",
					name: "Eleven Multilingual v2",
					languages: [{ language_id: "en", name: "English" }],
				},
			],
		},
		get_subscription: {
			sends: "GET /v1/user/subscription",
			answer: { tier: "creator", character_count: 17_231, character_limit: 100_000 },
		},
	},
);

export const moreModels = [...gemini, ...mistral, ...groq, ...elevenlabs];
