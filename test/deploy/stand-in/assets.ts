import { createHmac, randomBytes } from "node:crypto";
import * as z from "zod";
import { createEnvelope, Refusal } from "./answer.ts";

/** Limits of the free plan. */
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 25 * 1024 * 1024;
const SESSION_LIFETIME_MS = 60 * 60_000;

export const ASSETS_UPLOAD = "/workers/assets/upload";

interface StoredAsset {
	readonly hash: string;
	readonly content: Uint8Array<ArrayBuffer>;
	/** Null: it is served without a content type. */
	readonly type: string | null;
}

/** The files of a version by the paths they are served at. */
export type VersionAssets = ReadonlyMap<string, StoredAsset>;

export const manifestSchema = z.record(
	z.string().regex(/^\/./, "must begin with a slash"),
	z.strictObject({
		hash: z.string().regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal characters"),
		size: z.number().int().min(0).max(MAX_FILE_BYTES),
	}),
);
type Manifest = z.infer<typeof manifestSchema>;

/** The assets part of a script's upload: the stand-in supports only workers that run before their assets. */
export const assetsSchema = z.strictObject({
	jwt: z.string().min(1),
	config: z.strictObject({
		run_worker_first: z.literal(true, "the stand-in runs only workers that answer before their assets"),
		html_handling: z.literal("none", "the stand-in serves files by their exact paths only"),
		not_found_handling: z.literal("none", "the stand-in serves files by their exact paths only"),
	}),
});

interface Session {
	readonly script: string;
	readonly manifest: Manifest;
	readonly missing: Set<string>;
	readonly isComplete: boolean;
	readonly expires: number;
}

export interface Assets {
	/** Starts an upload session; existing files are not requested. */
	begin(script: string, manifest: Manifest): { readonly jwt: string; readonly buckets: readonly string[][] };
	/** Accepts a bucket; the last one returns the completion token. */
	receive(request: Request): Promise<Response>;
	/** The files of a completion token. */
	completed(jwt: string, script: string): VersionAssets;
}

export function createAssets({ mostPerBucket = 1000, now = Date.now } = {}): Assets {
	const stored = new Map<string, StoredAsset>();
	const sessions = new Map<string, Session>();
	const key = randomBytes(32);

	return {
		begin(script, manifest) {
			if (Object.keys(manifest).length > MAX_FILES) {
				throw new Refusal(400, 10026, `Invalid property: manifest => more than ${MAX_FILES} files`);
			}
			const hashes = [...new Set(Object.values(manifest).map(({ hash }) => hash))];
			const missing = hashes.filter((hash) => !stored.has(hash));
			const jwt = createSession({
				script,
				manifest,
				missing: new Set(missing),
				isComplete: missing.length === 0,
			});
			return { jwt, buckets: splitBuckets(missing, mostPerBucket) };
		},
		async receive(request) {
			const jwt = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
			const session = findSession(jwt, false);
			if (new URL(request.url).searchParams.get("base64") !== "true") {
				throw new Refusal(400, 10021, "files must be sent with base64=true");
			}
			const files = await readFiles(request, session);
			for (const file of files) {
				stored.set(file.hash, file);
				session.missing.delete(file.hash);
			}
			if (session.missing.size > 0) return createEnvelope({ result: {}, status: 202 });
			sessions.delete(jwt);
			const { script, manifest, missing } = session;
			const result = { jwt: createSession({ script, manifest, missing, isComplete: true }) };
			return createEnvelope({ result, status: 201 });
		},
		completed(jwt, script) {
			const session = findSession(jwt, true);
			if (session.script !== script) throw new Refusal(400, 10021, "the assets belong to another script");
			return new Map(
				Object.entries(session.manifest).map(([path, { hash }]) => [path, stored.get(hash) as StoredAsset]),
			);
		},
	};

	function createSession(session: Omit<Session, "expires">): string {
		const expires = now() + SESSION_LIFETIME_MS;
		const parts = [
			{ alg: "HS256", typ: "JWT" },
			{ exp: Math.floor(expires / 1000), jti: randomBytes(8).toString("hex") },
		];
		const said = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
		const jwt = `${said}.${createHmac("sha256", key).update(said).digest("base64url")}`;
		sessions.set(jwt, { ...session, expires });
		return jwt;
	}

	function findSession(jwt: string, isComplete: boolean): Session {
		const session = sessions.get(jwt);
		if (session === undefined || session.isComplete !== isComplete || session.expires <= now()) {
			throw new Refusal(
				isComplete ? 400 : 401,
				10000,
				"the token of the assets is not valid, or not any more",
			);
		}
		return session;
	}
}

function splitBuckets(hashes: readonly string[], most: number): string[][] {
	return Array.from({ length: Math.ceil(hashes.length / most) }, (_, index) =>
		hashes.slice(index * most, (index + 1) * most),
	);
}

async function readFiles(request: Request, { manifest, missing }: Session): Promise<readonly StoredAsset[]> {
	const form = await request.formData().catch(() => {
		throw new Refusal(400, 10021, "could not read the parts of the upload");
	});
	const sizes = new Map(Object.values(manifest).map(({ hash, size }) => [hash, size]));
	const parts = [...form].map(async ([hash, part]) => {
		if (typeof part === "string" || part.name !== hash) {
			throw new Refusal(400, 10021, `part "${hash}" must be a file, its filename the name of the part`);
		}
		if (!missing.has(hash)) throw new Refusal(400, 10021, `no file with the hash ${hash} was asked for`);
		const text = await part.text();
		const content = Uint8Array.from(Buffer.from(text, "base64"));
		if (Buffer.from(content).toString("base64") !== text)
			throw new Refusal(400, 10021, `part "${hash}" is not base64`);
		if (content.length !== sizes.get(hash))
			throw new Refusal(400, 10021, `part "${hash}" is not as long as was said`);
		return { hash, content, type: part.type === "application/null" ? null : part.type };
	});
	if (parts.length === 0) throw new Refusal(400, 10021, "no file was sent");
	return Promise.all(parts);
}

/** Answers the worker's assets binding: a file by its exact path, or 404. */
export async function answerAsset(assets: VersionAssets, request: Request): Promise<Response> {
	const { pathname } = new URL(request.url);
	const asset = assets.get(decodeURI(pathname));
	if (asset === undefined) return new Response(null, { status: 404 });
	if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405 });
	const etag = `"${asset.hash}"`;
	const headers = {
		etag,
		"cache-control": "public, max-age=0, must-revalidate",
		...(asset.type !== null && { "content-type": asset.type }),
	};
	const known = request.headers.get("if-none-match");
	if (known === etag || known === `W/${etag}`) return new Response(null, { status: 304, headers });
	return new Response(request.method === "HEAD" ? null : asset.content, { headers });
}
