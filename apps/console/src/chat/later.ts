import { call, Problem, type Turn } from "./api.ts";

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const GROWTH = 1.5;
/** Some hours. A reload looks again. */
const MAX_LOOKS = 500;

/** Looks for replies of runs that go on by themselves, less and less often, while the page is visible. */
export function laterReplies(onTurn: (turn: Turn, shown: HTMLElement) => "here" | "awaited") {
	let conversation = "";
	let token = "";
	/** Where their replies are shown, by run. */
	const awaited = new Map<string, HTMLElement>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let pause = MIN_PAUSE_MS;
	let looks = 0;
	/** Messages after the first one that is awaited. */
	let after = 0;

	document.addEventListener("visibilitychange", () => {
		if (document.hidden || awaited.size === 0) return;
		pause = MIN_PAUSE_MS;
		schedule(0);
	});

	return {
		add(
			run: string,
			shown: HTMLElement,
			of: { readonly conversation: string; readonly token: string },
		): void {
			({ conversation, token } = of);
			if (awaited.size === 0) after = 0;
			awaited.set(run, shown);
			pause = MIN_PAUSE_MS;
			looks = 0;
			schedule(pause);
		},

		/** Another message follows. */
		countMessage(): void {
			after++;
		},

		clear(): void {
			awaited.clear();
			clearTimeout(timer);
		},
	};

	function schedule(inMs: number): void {
		clearTimeout(timer);
		if (looks < MAX_LOOKS) timer = setTimeout(() => void look(), inMs);
	}

	async function look(): Promise<void> {
		if (document.hidden) return;
		looks++;
		const of = conversation;
		try {
			const answer = await call(`/conversations/${of}?last=${Math.min(200, after + MARGIN)}`, token);
			const { turns } = (await answer.json()) as { turns: Turn[] };
			if (of !== conversation) return;
			for (const turn of turns) {
				const run = turn.execution_id ?? "";
				const shown = awaited.get(run);
				if (shown !== undefined && onTurn(turn, shown) === "here") awaited.delete(run);
			}
		} catch (error) {
			// Only a service that cannot be reached, or is busy, may be asked again.
			if (!(error instanceof Problem) || [401, 403, 404].includes(error.status)) return;
		}
		pause = Math.min(pause * GROWTH, MAX_PAUSE_MS);
		if (awaited.size > 0) schedule(pause);
	}
}

/** The first one itself, and messages of other tabs. */
const MARGIN = 10;
