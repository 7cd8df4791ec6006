import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ConsoleFiles, Encoding } from "@tripline/mcp/http/console-files";

type Bytes = Uint8Array<ArrayBuffer>;

/** Text files, which are worth compressing unless they are short. */
const COMPRESSED = /\.(?:html|js|css|svg|json|txt)$/;
const MIN_COMPRESSED_BYTES = 1024;

/** Files beginning with a dot do not belong to the console. */
const VISIBLE = /^[^.]/;

/** The files of a folder, read once, and compressed on first request and cached. */
export function readFolder(folder: string): ConsoleFiles {
	const files = new Map(
		readdirSync(folder)
			.filter((name) => VISIBLE.test(name))
			.map((name) => [name, cacheFile(name, Uint8Array.from(readFileSync(join(folder, name))))]),
	);
	return { file: async (name, accepted) => (await files.get(name)?.(accepted)) ?? null };
}

function cacheFile(name: string, plain: Bytes) {
	const tag = createHash("sha256").update(plain).digest("base64url").slice(0, 27);
	const isCompressed = COMPRESSED.test(name) && plain.length >= MIN_COMPRESSED_BYTES;
	const kept = new Map<Encoding, Promise<Bytes>>();
	return async (accepted: readonly Encoding[]) => {
		const [encoding] = accepted;
		if (!isCompressed || encoding === undefined) return { body: plain, tag, encoding: null };
		const compressed = kept.get(encoding) ?? COMPRESSORS[encoding](plain);
		kept.set(encoding, compressed);
		return { body: await compressed, tag, encoding };
	};
}

/** The maximum quality saves another tenth at fifty times the work. */
const BROTLI_QUALITY = 5;

const COMPRESSORS: Readonly<Record<Encoding, (plain: Bytes) => Promise<Bytes>>> = {
	br: async (plain) =>
		Uint8Array.from(
			await promisify(brotliCompress)(plain, {
				params: {
					[constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
					[constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
				},
			}),
		),
	gzip: async (plain) => Uint8Array.from(await promisify(gzip)(plain, { level: 9 })),
};
