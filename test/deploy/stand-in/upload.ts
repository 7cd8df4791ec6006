import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { Refusal } from "./answer.ts";
import { parseChecked, WORKERS } from "./api.ts";
import { assetsSchema } from "./assets.ts";
import { uploadedBindingSchema } from "./bindings.ts";
import type { Code, Module } from "./script.ts";

const MAX_ZIPPED_BYTES = 3 * 1024 * 1024;

const MODULE_TYPES: Readonly<Record<string, Module["type"]>> = {
	"application/javascript+module": "ESModule",
	"application/javascript": "CommonJS",
	"application/wasm": "CompiledWasm",
	"application/octet-stream": "Data",
	"text/plain": "Text",
};

/** The provider allows 10 tags of 1024 bytes, without these two characters. */
export const tagsSchema = z
	.array(
		z
			.string()
			.min(1)
			.max(1024)
			.regex(/^[^,&]*$/),
	)
	.max(10);

const metadataSchema = z.strictObject({
	main_module: z.string().min(1),
	compatibility_date: z.iso.date(),
	compatibility_flags: z.array(z.string()).default([]),
	bindings: z.array(uploadedBindingSchema).default([]),
	keep_bindings: z.array(z.string()).default([]),
	assets: assetsSchema.optional(),
	keep_assets: z.boolean().default(false),
	tags: tagsSchema.optional(),
	annotations: z.record(z.enum(["workers/message", "workers/tag"]), z.string().optional()).optional(),
	observability: z
		.strictObject({ enabled: z.boolean(), head_sampling_rate: z.number().min(0).max(1).nullish() })
		.optional(),
	limits: z.strictObject({ cpu_ms: z.number().int().optional() }).optional(),
	placement: z.strictObject({ mode: z.literal("smart") }).optional(),
	logpush: z.boolean().optional(),
	usage_model: z.literal("standard").optional(),
});

type Metadata = z.infer<typeof metadataSchema>;

export interface Upload
	extends Pick<Metadata, "bindings" | "keep_bindings" | "tags" | "assets" | "keep_assets" | "annotations"> {
	readonly code: Code;
}

/** Reads the parts of an upload: its metadata, and a file for each module. */
export async function readUpload(request: Request): Promise<Upload> {
	if (!/^multipart\/form-data\b/.test(request.headers.get("content-type") ?? "")) {
		throw new Refusal(415, 10001, "Unsupported or unexpected Content Type");
	}
	const form = await request.formData().catch(() => {
		throw new Refusal(400, 10021, "could not read the parts of the upload");
	});
	const metadata = await parseMetadata(form);
	if (metadata.compatibility_date > new Date().toISOString().slice(0, 10)) {
		const what = `Can't set compatibility date in the future: "${metadata.compatibility_date}".`;
		throw new Refusal(400, 10021, what);
	}
	const modules = await readModules(form, metadata.main_module);
	return { ...metadata, code: { ...bundleCode(modules), ...compatibility(metadata) } };
}

async function parseMetadata(form: FormData) {
	const part = form.get("metadata");
	if (part === null) throw new Refusal(400, 10021, "could not read content for part metadata");
	const text = typeof part === "string" ? part : await part.text();
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Refusal(400, 10026, "Could not parse request body: metadata is not JSON");
	}
	return parseChecked(metadataSchema, value, WORKERS);
}

const compatibility = (metadata: Metadata) => ({
	compatibilityDate: metadata.compatibility_date,
	compatibilityFlags: metadata.compatibility_flags,
});

async function readModules(form: FormData, mainModule: string): Promise<readonly Module[]> {
	const modules: Module[] = [];
	for (const [name, part] of form) {
		if (name === "metadata") continue;
		if (typeof part === "string" || part.name !== name) {
			throw new Refusal(400, 10021, `part "${name}" must be a file, its filename the name of the part`);
		}
		const type = MODULE_TYPES[part.type];
		if (type === undefined) {
			throw new Refusal(400, 10021, `module "${name}" has the unknown content type "${part.type}"`);
		}
		modules.push({ type, path: name, contents: new Uint8Array(await part.arrayBuffer()) });
	}
	const main = modules.find(({ path }) => path === mainModule);
	if (main === undefined) throw new Refusal(400, 10021, `No such module: main_module "${mainModule}"`);
	if (main.type !== "ESModule") {
		throw new Refusal(400, 10021, "Uncaught SyntaxError: Unexpected token 'export'");
	}
	return [main, ...modules.filter((module) => module !== main)];
}

function bundleCode(modules: readonly Module[]) {
	const zipped = modules.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 6 }).length, 0);
	if (zipped > MAX_ZIPPED_BYTES) {
		throw new Refusal(413, 10027, "Your Worker exceeded the size limit of 3 MiB.");
	}
	const hash = createHash("sha256");
	for (const { path, type, contents } of modules) {
		hash.update(JSON.stringify([path, type, contents.length])).update(contents);
	}
	return { modules, etag: hash.digest("hex") };
}
