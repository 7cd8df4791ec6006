import { createHash } from "node:crypto";
import { extname } from "node:path";
import * as z from "zod";
import { CliProblem } from "../command.ts";
import { type Provider, ProviderRefused } from "./provider.ts";

/** A file that a worker serves. */
export interface Asset {
	/** The path it is served at, with a leading slash. */
	readonly path: string;
	readonly content: Uint8Array<ArrayBuffer>;
}

/** Every request reaches the worker, which asks for a file by its exact path: Cloudflare must not guess one. */
export const ASSETS_CONFIG = {
	run_worker_first: true,
	html_handling: "none",
	not_found_handling: "none",
} as const;

const Session = z.object({ jwt: z.string(), buckets: z.array(z.array(z.string())) });
const Uploaded = z.object({ jwt: z.string().nullish() }).nullable();

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".png": "image/png",
	".woff2": "font/woff2",
	".json": "application/json",
};

/** The hash includes the file extension, because the content type depends on it. */
export const hashAsset = ({ path, content }: Asset): string =>
	createHash("sha256")
		.update(Buffer.from(content).toString("base64") + extname(path).slice(1))
		.digest("hex")
		.slice(0, 32);

/** Uploads the files that Cloudflare lacks and returns a token, valid for an hour, for the worker's upload. */
export async function uploadAssets(
	call: Provider["call"],
	{ account, script, name }: { readonly account: string; readonly script: string; readonly name: string },
	assets: readonly Asset[],
): Promise<string> {
	const byHash = new Map(assets.map((asset) => [hashAsset(asset), asset]));
	const manifest = Object.fromEntries(
		assets.map((asset) => [asset.path, { hash: hashAsset(asset), size: asset.content.length }]),
	);
	try {
		return await sendAll();
	} catch (error) {
		// Perhaps only the answer was lost: a new session knows which files have arrived.
		if (!(error instanceof ProviderRefused)) throw error;
		return sendAll();
	}

	async function sendAll(): Promise<string> {
		const what = `start uploading the files of the worker ${name}`;
		const path = `${script}/assets-upload-session`;
		const body = { manifest };
		const session = Session.safeParse(await call({ what, method: "POST", path, body, isRepeatable: true }));
		if (!session.success) throw unexpectedAnswer(what);
		const { jwt, buckets } = session.data;
		let done = buckets.flat().length === 0 ? jwt : null;
		for (const bucket of buckets) done = (await sendBucket(jwt, bucket)) ?? done;
		if (done === null) throw unexpectedAnswer(`upload the files of the worker ${name}`);
		return done;
	}

	/** The answer to the last bucket has the token for the worker's upload. */
	async function sendBucket(jwt: string, bucket: readonly string[]): Promise<string | null> {
		const what = `upload the files of the worker ${name}`;
		const answer = await call({
			what,
			method: "POST",
			path: `${account}/workers/assets/upload?base64=true`,
			body: buildForm(bucket),
			bearer: jwt,
			isRepeatable: true,
		});
		return Uploaded.safeParse(answer).data?.jwt ?? null;
	}

	function buildForm(bucket: readonly string[]): FormData {
		const form = new FormData();
		for (const hash of bucket) {
			const asset = byHash.get(hash);
			if (asset === undefined) throw unexpectedAnswer(`upload the files of the worker ${name}`);
			const type = TYPES[extname(asset.path)] ?? "application/null";
			form.append(hash, new File([Buffer.from(asset.content).toString("base64")], hash, { type }), hash);
		}
		return form;
	}
}

const unexpectedAnswer = (what: string): CliProblem =>
	new CliProblem(`unexpected answer from Cloudflare when asked to ${what}`, {
		hint: "run this again; if it keeps failing, a newer version of tripline may support it",
	});
