/** What the first page asks for, asked before the app is there, by the keys of its queries. */
const FIRST = { session: "/gui/session", "overview day": "/gui/overview?hours=24" } as const;

interface Early {
	readonly answer: Promise<unknown>;
	/** As soon as it is there. */
	data?: unknown;
}

declare global {
	/** Handed from the script that runs first to the app. */
	var tripline: { readonly token: string; readonly early: Partial<Record<string, Early>> } | undefined;
}

export function askEarly(token: string, { pathname, search }: Location): void {
	const isOverview = /^\/console\/?$/.test(pathname) && search === "";
	globalThis.tripline = {
		token,
		early: {
			session: ask(FIRST.session),
			...(isOverview && { "overview day": ask(FIRST["overview day"]) }),
		},
	};

	function ask(url: string): Early {
		const answer = fetch(url, { headers: { authorization: `Bearer ${token}` } }).then(async (response) => {
			if (!response.ok) throw new Error(`${url} answers ${response.status}`);
			early.data = await response.json();
			return early.data;
		});
		const early: Early = { answer };
		// Whoever needs it asks again, and learns what is wrong.
		answer.catch(() => {});
		return early;
	}
}

/** Resolves when all of it is answered, or after a moment: a page that is first drawn without it is drawn twice. */
export async function earlyAnswers(mostMs: number): Promise<void> {
	const asked = Object.values(globalThis.tripline?.early ?? {}).map((each) => each?.answer);
	const moment = Promise.withResolvers<void>();
	const timer = setTimeout(moment.resolve, mostMs);
	await Promise.race([Promise.allSettled(asked), moment.promise]);
	clearTimeout(timer);
}

/** What has been answered early to whoever has this token. */
export const answeredEarly = (key: string, token: string | undefined): unknown =>
	globalThis.tripline?.token === token ? globalThis.tripline?.early[key]?.data : undefined;

/** What was asked early, once: whoever asks again wants to know how it is now. */
export function takeEarly(key: string, token: string | undefined): Promise<unknown> | undefined {
	const asked = globalThis.tripline;
	const answer = asked?.token === token ? asked?.early[key]?.answer : undefined;
	delete asked?.early[key];
	return answer;
}
