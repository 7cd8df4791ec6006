import { type App, type AppDeps, createApp, toFetch } from "./app.ts";
import type { Incoming } from "./http-message.ts";
import { OPERATIONAL_PATHS } from "./operational.ts";
import type { RouteDescription } from "./route.ts";

export interface Mounted {
	readonly app: App;
	/** Prefix of all its paths, for example `/registry`; left out, they are at the root. */
	readonly under?: string;
}

/**
 * Serves several apps at one address. Each has its own authentication, limits and errors. Unknown paths go to the first.
 * The OpenAPI document and the readiness check cover all of them.
 */
export function mount(
	first: App,
	others: readonly Mounted[],
	deps: Pick<AppDeps<null>, "clock" | "log" | "countRequest" | "tracing">,
): App {
	const about = {
		...first.about,
		routes: [...first.about.routes, ...others.flatMap(listRoutes)],
		ready: async () =>
			(await Promise.all([first, ...others.map(({ app }) => app)].map(isReady))).every(Boolean),
	};
	const front = createApp<null>({
		...about,
		...deps,
		routes: [],
		describes: about.routes,
		authenticate: () => null,
		maxBodyBytes: 0,
	});
	/** Keyed by the first path segment. */
	const answers = new Map<string, App["answer"]>();
	add(OPERATIONAL_PATHS, front.answer);
	for (const { app, under } of others) {
		if (under === undefined) add(new Set(app.about.routes.map(({ path }) => path)), app.answer);
		else add([under], (request) => app.answer(stripPrefix(request, under)));
	}
	for (const { path } of first.about.routes) {
		if (answers.has(readFirstSegment(path))) throw new Error(`${path} is in two apps`);
	}
	const answer: App["answer"] = (request) =>
		(answers.get(readUrlSegment(request.url)) ?? first.answer)(request);
	return { answer, fetch: toFetch(answer), about };

	function add(paths: Iterable<string>, given: App["answer"]): void {
		for (const path of paths) {
			const known = answers.get(readFirstSegment(path));
			if (known !== undefined && known !== given) throw new Error(`${path} is in two apps`);
			answers.set(readFirstSegment(path), given);
		}
	}
}

const listRoutes = ({ app, under = "" }: Mounted): RouteDescription[] =>
	app.about.routes.map((route) => ({ ...route, path: under + route.path }));

const isReady = ({ about }: App): Promise<boolean> => about.ready();

/** For a path that begins with a slash. */
const readFirstSegment = (path: string): string => readSegmentAt(path, 1);

/** For the path of an absolute URL. */
const readUrlSegment = (url: string): string => readSegmentAt(url, readOrigin(url).length + 1);

function readSegmentAt(text: string, start: number): string {
	let end = start;
	while (end < text.length && !ENDS.includes(text[end] as string)) end++;
	return text.slice(start, end);
}

const ENDS = "/?#";

const readOrigin = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("://") + 3));

/** The request as the app would receive it at its own address. */
const stripPrefix = (request: Incoming, prefix: string): Incoming => ({
	method: request.method,
	url: readOrigin(request.url) + request.url.slice(readOrigin(request.url).length + prefix.length),
	headers: request.headers,
	...(request.isInternal !== undefined && { isInternal: request.isInternal }),
	get address() {
		return request.address;
	},
	get signal() {
		return request.signal;
	},
	bytes: (most) => request.bytes(most),
	stream: (most) => request.stream(most),
});
