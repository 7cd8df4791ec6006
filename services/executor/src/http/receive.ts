import { Failed } from "@tripline/contract/failures";
import { readBody, streamBody } from "@tripline/web/body";
import { type Incoming, parseTarget } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import { listHandshakeMethods, type WebhookSettings } from "../domain/webhook-settings.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { newExecutionId } from "../runs/execute.ts";
import type { ExecutorSettings } from "../settings.ts";
import {
	type FileBody,
	findFileBody,
	readInput,
	readJsonOrFile,
	readQueryInput,
} from "./bodies/read-input.ts";
import {
	type ContextDeps,
	checkRate,
	checkSignature,
	needsSignature,
	parseContext,
	parseInTurn,
	type Received,
	readRoot,
} from "./context.ts";
import { buildPreflight } from "./cors.ts";
import { readFilesInput, streamBytes } from "./receive-files.ts";
import type { Target } from "./target.ts";
import { chooseMaxFilesBytes, Upload } from "./upload.ts";
import { getCalledUrl } from "./urls.ts";
import { checkAuth } from "./verification/auth.ts";
import { answerHandshake } from "./verification/handshakes.ts";

export interface ReceiveDeps extends ContextDeps {
	readonly settings: ContextDeps["settings"] & Pick<ExecutorSettings, "maxFileBytes">;
	readonly files: StoredFiles;
}

const encoder = new TextEncoder();

/** Methods whose query parameters are the input if they have no body. */
const READING_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);

/**
 * Reads a request by the keys of the workflow's trigger. Order of checks: rate, method, credential, size, handshake,
 * signature, body. A reply means that no run follows.
 */
export async function receive(
	deps: ReceiveDeps,
	request: Incoming,
	target: Target,
	settings: WebhookSettings,
): Promise<Received | { readonly reply: Reply }> {
	const method = request.method === "HEAD" ? "GET" : request.method;
	checkRate(deps.rate, target.rateKey);
	if (method === "OPTIONS" && settings.cors.length > 0) return { reply: buildPreflight(settings) };
	const { handshake } = settings;
	const isOpen = settings.methods.includes(method);
	if (!isOpen && (handshake === null || !listHandshakeMethods(handshake).includes(method)))
		throw methodNotAllowed(settings.methods);
	await checkCaller(deps, request, target);
	const { accept } = settings;
	const contentType = request.headers.get("content-type");
	const fileBody = accept === null ? null : findFileBody(accept, contentType);
	const maxBytes = Math.min(settings.maxBytes, deps.settings.maxBodyBytes);
	if (fileBody !== null && isOpen && mayStream(fileBody, handshake, target))
		return receiveFiles(deps, request, target, settings, fileBody, null);
	const body = await readBody(request, maxBytes);
	if (handshake !== null) {
		const reply = await answerHandshake({
			handshake,
			signature: target.runnable.signature,
			request: { method, url: getCalledUrl(deps.settings, request), headers: request.headers, body },
			revealSecret: async (name) => (await reveal(deps, target, name))?.fields.secret ?? null,
			now: deps.clock.now(),
		});
		if (reply !== null) return { reply };
	}
	if (!isOpen) throw methodNotAllowed(settings.methods);
	if (needsSignature(target)) await checkSignature(deps, request, body, target);
	const root = readRoot(request, target);
	if (body.length === 0 && READING_METHODS.has(method)) return { ...readQuery(request), root };
	if (fileBody !== null && body.length > 0) {
		const read = fileBody.kind === "file-or-json" ? readJsonOrFile : () => null;
		const input = await parseInTurn(deps, target, body, read);
		if (input === null) return receiveFiles(deps, request, target, settings, fileBody, body);
		return { input, body, root };
	}
	const input = await parseInTurn(deps, target, body, (bytes) =>
		accept === null ? parseContext(bytes) : readInput({ accept, contentType, bytes }),
	);
	return { input, body, root };
}

/** The input of a request without a body. */
function readQuery({ method, url }: Incoming): Pick<Received, "input" | "body"> {
	const { search } = READING_METHODS.has(method) ? parseTarget(url) : { search: "" };
	// Calls with one idempotency key are compared by what they ask for.
	return { input: readQueryInput(search), body: encoder.encode(search) };
}

/** What must be verified first, or may be JSON, is read as a whole, and is as large as any other body at most. */
const mayStream = ({ kind }: FileBody, handshake: WebhookSettings["handshake"], target: Target): boolean =>
	kind !== "file-or-json" && handshake === null && !needsSignature(target);

/** `whole` is the body if it was read already. */
async function receiveFiles(
	deps: ReceiveDeps,
	request: Incoming,
	target: Target,
	settings: WebhookSettings,
	fileBody: FileBody,
	whole: Uint8Array | null,
): Promise<Received> {
	const maxFilesBytes = chooseMaxFilesBytes(deps.settings, target.isOwners, settings.maxBytes);
	const maxTextBytes = Math.min(settings.maxBytes, deps.settings.maxBodyBytes);
	// The headers of parts count as text.
	const maxBytes = fileBody.kind === "parts" ? maxFilesBytes + maxTextBytes : maxFilesBytes;
	const content = whole === null ? streamBody(request, maxBytes) : streamBytes(whole);
	const upload = new Upload(deps.files, target, {
		executionId: newExecutionId(deps.clock),
		maxBytes: maxFilesBytes,
	});
	return upload.keepIfRead(async () => {
		const read = await readFilesInput(request, content, fileBody, upload, maxTextBytes);
		const root = readRoot(request, target);
		return read === null ? { ...readQuery(request), root } : { ...read, root, upload };
	});
}

/** Throws if the trigger has `auth`, the caller is not the owner and does not have the credential. */
export async function checkCaller(
	deps: Pick<ReceiveDeps, "vault">,
	{ headers }: Incoming,
	target: Target,
): Promise<void> {
	const auth = target.runnable.webhook?.auth ?? null;
	if (auth === null || target.isOwners === true) return;
	await checkAuth({ auth, headers, revealCredential: (name) => reveal(deps, target, name) });
}

const reveal = async ({ vault }: Pick<ReceiveDeps, "vault">, { namespace }: Target, name: string) =>
	namespace === null ? null : vault.reveal(namespace, name);

const methodNotAllowed = (methods: readonly string[]): Failed =>
	new Failed({
		kind: "method_not_allowed",
		message: "method not allowed",
		allow: methods.flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each])).join(", "),
	});

/**
 * Finds what is called by another method than POST, if its trigger may take that. Otherwise the answer does not tell
 * whether there is one.
 */
export async function findByMethod(find: () => Target | Promise<Target>): Promise<Target> {
	const target = await findOrNull(find);
	if (target === null || target.runnable.webhook === null) throw methodNotAllowed(["POST"]);
	return target;
}

async function findOrNull(find: () => Target | Promise<Target>): Promise<Target | null> {
	try {
		return await find();
	} catch (error) {
		if (error instanceof Failed) return null;
		throw error;
	}
}
