import type { Pointer } from "./exports.ts";
import type { Job } from "./job.ts";

const MAX_CONCURRENT_REQUESTS = 8;
const MAX_REQUESTS = 50;

interface Request {
	readonly text: string;
	/** The function in the engine that receives the answer. */
	readonly resolve: Pointer;
}

/** The requests of a job's code to the host, with limits on how many run at a time and in total. */
export class Asking {
	readonly #http: Job["http"];
	readonly #queue: Request[] = [];
	#answers: Request[] = [];
	#asked = 0;
	#inFlight = 0;
	#arrived = () => {};

	constructor(http: Job["http"]) {
		this.#http = http;
	}

	/** No answer is pending. */
	get isIdle(): boolean {
		return this.#inFlight === 0 && this.#answers.length === 0;
	}

	ask(text: string, resolve: Pointer): void {
		this.#asked += 1;
		if (this.#asked > MAX_REQUESTS) {
			this.#answers.push({ text: `!the code may make at most ${MAX_REQUESTS} requests`, resolve });
			return;
		}
		this.#queue.push({ text, resolve });
		this.#startNext();
	}

	/** Waits for at least one answer, then returns all that arrived since the last call. */
	async takeAnswers(): Promise<readonly Request[]> {
		if (this.#answers.length === 0) {
			await new Promise<void>((resolve) => {
				this.#arrived = resolve;
			});
		}
		const takeAnswers = this.#answers;
		this.#answers = [];
		return takeAnswers;
	}

	#startNext(): void {
		while (this.#inFlight < MAX_CONCURRENT_REQUESTS) {
			const next = this.#queue.shift();
			if (next === undefined) return;
			this.#inFlight += 1;
			void this.#answer(next);
		}
	}

	async #answer({ text, resolve }: Request): Promise<void> {
		const answer = await this.#answerText(text);
		this.#inFlight -= 1;
		this.#answers.push({ text: answer, resolve });
		this.#startNext();
		this.#arrived();
	}

	async #answerText(text: string): Promise<string> {
		try {
			return `=${(await this.#http?.(text)) ?? "null"}`;
		} catch (error) {
			return `!${error instanceof Error ? error.message : String(error)}`;
		}
	}
}
