import { notFound } from "@tripline/contract/failures";
import type { Incoming, Outgoing } from "@tripline/web/http-message";
import { type Reply, type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { toPageResponse } from "../oauth/answers.ts";
import { problemPage } from "../pages/problem.ts";
import {
	ConsoleAbsent,
	type ConsoleFile,
	type ConsoleFiles,
	ENCODINGS,
	type Encoding,
} from "./console-files.ts";

type Answer = (request: Incoming) => Promise<Outgoing>;

const PAGE = "index.html";
const HTML = "text/html; charset=utf-8";
const HTML_PAGE = { [HTML]: z.string() };
/** The longest path that is accepted; no page of the console has a longer one. */
const MAX_PATH_LENGTH = 2000;
/** A file is directly below the console's path and has an extension. Deeper paths are pages, even with a dot in a name. */
const FILE_NAME = /^(?!\.)[A-Za-z0-9_.-]{1,200}\.([a-z0-9]{1,11})$/;
/** The name contains a hash of the content, so the file never changes. */
const HASHED_NAME = /-[A-Z0-9]{8}\.[a-z0-9]+$/;
/** Separators and control characters, plain or encoded, and dot segments. */
const UNSAFE_PATH = /\\|%2f|%5c|%[01][0-9a-f]|%7f|\p{Cc}|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu;

const TYPES: Readonly<Record<string, string>> = {
	html: HTML,
	js: "text/javascript; charset=utf-8",
	css: "text/css; charset=utf-8",
	json: "application/json; charset=utf-8",
	svg: "image/svg+xml",
	png: "image/png",
	webp: "image/webp",
	ico: "image/x-icon",
	woff2: "font/woff2",
	txt: "text/plain; charset=utf-8",
};

/** Sent with every file: a web worker has the policy of its own script, and an image may be opened as a document. */
const SECURITY_HEADERS = {
	"content-security-policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"x-frame-options": "DENY",
};

const NOT_BUILT = new ConsoleAbsent(
	"This server has no console.",
	"On your own machine, run npm start or tripline serve; on Cloudflare, run tripline update.",
);

/** The paths of pages, by depth. */
const PATHS = [
	"/console",
	"/console/{page}",
	"/console/{page}/{name}",
	"/console/{page}/{name}/{part}",
	"/console/{page}/{name}/{part}/{id}",
];

/** The web console. Its files contain nothing secret: all data comes from the API and requires login. */
export const consoleRoutes = (files: ConsoleFiles | undefined): Route<unknown>[] => [
	route({
		method: "GET",
		path: "/",
		tag: "Console",
		open: true,
		summary: "Redirects to the web console",
		responses: { 302: { description: "The `location` is the console" } },
		handle: () => ({ status: 302, headers: { location: "/console" }, body: undefined }),
	}),
	...PATHS.map((path, depth) =>
		route({
			method: "GET",
			path,
			tag: "Console",
			open: true,
			summary:
				depth === 1 ? "A page of the web console, or a file that it loads" : "A page of the web console",
			headers: { "if-none-match": "The ETag of an earlier answer" },
			responses: {
				200: { description: "The page; it decides from its URL what to show", content: HTML_PAGE },
				304: { description: "Not modified" },
				503: { description: "An error page: there is no console, or it is being built", content: HTML_PAGE },
			},
			handle: ({ request }) => answerFile(files, request),
		}),
	),
];

async function answerFile(files: ConsoleFiles | undefined, request: Incoming): Promise<Reply | Response> {
	const name = resolveFile(getPath(request.url));
	try {
		if (files === undefined) throw NOT_BUILT;
		const file = await files.file(name, listAccepted(request));
		if (file !== null) return await sendFile(name, file, request);
		throw name === PAGE ? NOT_BUILT : notFound();
	} catch (error) {
		if (error instanceof ConsoleAbsent) return renderAbsent(error);
		throw error;
	}
}

/** Maps a path to a file. */
function resolveFile(path: string): string {
	const below = path.slice("/console".length);
	if (path.length > MAX_PATH_LENGTH || UNSAFE_PATH.test(below)) throw notFound();
	const segments = below.split("/").slice(1);
	const [first = ""] = segments;
	if (segments.length > 1 || !first.includes(".")) return PAGE;
	if (FILE_NAME.test(first)) return first;
	throw notFound();
}

async function sendFile(name: string, file: ConsoleFile, request: Incoming): Promise<Response> {
	const { body, tag, encoding } = file;
	const isKnown = readKnownTags(request).includes(tag);
	const isStream = body instanceof ReadableStream;
	const headers = {
		...SECURITY_HEADERS,
		etag: `W/"${tag}"`,
		vary: "accept-encoding",
		"cache-control": HASHED_NAME.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
	};
	if (isStream && (isKnown || request.method === "HEAD")) await body.cancel();
	if (isKnown) return new Response(null, { status: 304, headers });
	return new Response(isStream && request.method === "HEAD" ? null : body, {
		headers: {
			...headers,
			"content-type": TYPES[FILE_NAME.exec(name)?.[1] ?? ""] ?? "application/octet-stream",
			...(!isStream && { "content-length": String(body.length) }),
			...(encoding !== null && { "content-encoding": encoding }),
		},
	});
}

function renderAbsent({ message, hint, retryAfterSeconds }: ConsoleAbsent): Response {
	const again = String(retryAfterSeconds);
	return toPageResponse(
		503,
		problemPage({ title: "The console is not available", message, hint, status: 503 }),
		retryAfterSeconds === null ? {} : { "retry-after": again, refresh: again },
	);
}

/** The accepted encodings, without those refused by `q=0`. */
function listAccepted(request: Incoming): readonly Encoding[] {
	const given = (request.headers.get("accept-encoding") ?? "").toLowerCase().split(",");
	const names = given
		.filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
		.map((each) => each.split(";")[0]?.trim());
	return ENCODINGS.filter((encoding) => names.includes(encoding));
}

const readKnownTags = (request: Incoming): readonly string[] =>
	(request.headers.get("if-none-match") ?? "")
		.split(",")
		.map((tag) => /^(?:W\/)?"(.*)"$/.exec(tag.trim())?.[1] ?? "");

/** Redirects `/console/`, which people type, to `/console`, so that a page has one address. */
export function redirectEndingSlash(answer: Answer): Answer {
	return (request) => {
		// A cheap check first, because most requests are not for the console.
		const found = request.url.includes("/console/") ? ENDING_SLASH.exec(request.url) : null;
		if (found === null || !["GET", "HEAD"].includes(request.method)) return answer(request);
		const location = `/console${found[1] ?? ""}`;
		return Promise.resolve({ status: 308, headers: { location }, body: null });
	};
}

const ENDING_SLASH = /^https?:\/\/[^/]*\/console\/(\?.*)?$/;

function getPath(url: string): string {
	const start = url.indexOf("/", url.indexOf("://") + 3);
	const end = url.slice(start).search(/[?#]/);
	return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
