import type { Json } from "@tripline/contract/json";
import type { Wait } from "../component.ts";
import { Halt } from "./halt.ts";
import { CANCEL_KEY, type JournalRow, type RecordedOutcome, type RunJournal } from "./journal.ts";
import type { RunTurns } from "./options.ts";
import type { Watch } from "./watch.ts";

type Settle = (row: JournalRow) => void;

interface Parts {
	readonly watch: Watch;
	readonly turns: RunTurns;
	/** Lets the run go on; with an action that throws, it ends. */
	readonly enter: (action: () => void) => void;
	/** Ends what is in progress; only the ALWAYS edges behind it are taken. */
	readonly cancel: () => void;
}

interface Attempt {
	onEnd: (() => void) | null;
}

interface Delay {
	/** Whether the delay has been cancelled. */
	readonly isOver: () => boolean;
	/** Starts a timer, unless the delay has been cancelled. */
	readonly wait: (ms: number, end: () => void) => void;
	/** Lets the run go on, unless the delay has been cancelled. */
	readonly end: () => void;
}

/**
 * The journaled steps of a run. The run goes on with one row after the other, and with the next only when it has no other
 * work left, so that its course depends on the rows alone. That makes a resumed run take the course of the first one.
 */
export class Steps {
	private readonly journal: RunJournal;
	private readonly parts: Parts;
	/** Keys of rows from earlier processes. */
	private readonly recorded: ReadonlySet<string>;
	private nextRow = 0;
	/** Steps that have started and are recorded, by their keys. */
	private readonly waiting = new Map<string, Settle>();
	/** What was in progress when the earlier process ended. */
	private unfinished: (() => void)[] = [];
	/** Rows of this process, in the order of the journal. */
	private readonly appended: { readonly row: JournalRow; readonly settle: Settle }[] = [];
	/** How many of them are on disk. */
	private stored = 0;
	/** Whether all rows of earlier processes have been replayed. */
	hasCaughtUp = false;
	/** Whether it is being recorded that the run was cancelled. */
	private isCancelling = false;
	/** Those that have started and not ended. Cancelled ones are found later. */
	private readonly delays = new Set<Delay>();
	/** What is recorded of attempts that wait, by their keys. */
	private readonly waits = new Map<string, Wait>();
	/** Attempts in progress after which the run goes on by itself: they only compute, or have a timeout. */
	private readonly bounded = new Set<Attempt>();

	constructor(journal: RunJournal, parts: Parts) {
		this.journal = journal;
		this.parts = parts;
		this.recorded = new Set(journal.rows.map(({ key }) => key));
		if (this.recorded.has(CANCEL_KEY)) this.awaitRow(CANCEL_KEY, parts.cancel);
	}

	findEarlier(step: string): Pick<JournalRow, "outcome" | "log"> | undefined {
		return this.journal.findEarlier(step);
	}

	mayStart(): boolean {
		return this.journal.mayStart();
	}

	/** An attempt has returned. */
	settle(): void {
		this.journal.settle();
	}

	/** Whether the run can go on with a row, or begin what was unfinished. */
	get hasNext(): boolean {
		return !this.hasCaughtUp || this.stored > 0;
	}

	goOn(): void {
		if (!this.hasCaughtUp) {
			this.replay();
			return;
		}
		this.stored -= 1;
		const { row, settle } = this.appended.shift() as (typeof this.appended)[number];
		settle(row);
	}

	/** Whether attempts and delays may start: before, they are postponed. */
	get isLive(): boolean {
		return this.hasCaughtUp && !this.isCancelling;
	}

	/** Whether an earlier process recorded it, and the run has not caught up with that process yet. */
	isRecorded(key: string): boolean {
		return !this.hasCaughtUp && this.recorded.has(key);
	}

	/** Goes on with a recorded row when it is its turn. */
	awaitRow(key: string, settle: Settle): void {
		this.waiting.set(key, settle);
	}

	/** Does it once the run has caught up. */
	postpone(work: () => void): void {
		this.unfinished.push(work);
	}

	/** Waits until `due`. The end is recorded, because its place among the other steps matters. */
	delay(key: string, due: number, delay: Delay): void {
		const { wait, end } = delay;
		const start = () => {
			this.delays.add(delay);
			wait(due - this.parts.watch.readClock(), () => {
				this.delays.delete(delay);
				this.record(key, null, end);
			});
		};
		if (this.isLive) start();
		else if (this.isRecorded(key)) this.awaitRow(key, end);
		else this.postpone(start);
	}

	findWait(key: string): Wait | null {
		return this.waits.get(key) ?? null;
	}

	/** An attempt waits. `settle` is called once it is recorded, or when it is the turn of the row that says so. */
	wait(key: string, wait: Wait | null, settle: (wait: Wait) => void): void {
		const goOn = ({ outcome }: JournalRow) => {
			const { value } = outcome as unknown as { readonly value: Wait };
			this.waits.set(key, value);
			settle(value);
		};
		if (wait !== null) this.record(key, { value: wait as unknown as Json }, goOn);
		else if (this.isRecorded(key)) this.awaitRow(key, goOn);
	}

	/** The run goes on by itself after the attempt. */
	addBounded(attempt: Attempt): void {
		this.bounded.add(attempt);
		attempt.onEnd = () => this.bounded.delete(attempt);
	}

	/** Tells the journal that the run has no work left, unless it goes on by itself. */
	rest(): void {
		if (!this.isLive || this.bounded.size > 0 || this.appended.length > 0) return;
		for (const delay of this.delays) {
			if (!delay.isOver()) return;
			this.delays.delete(delay);
		}
		this.journal.rest();
	}

	/** The run goes on with it once it is on disk. */
	record(
		key: string,
		outcome: RecordedOutcome | null,
		settle: Settle,
		log: readonly string[] | null = null,
	): void {
		const { watch, turns, enter } = this.parts;
		const row = { key, time: watch.readClock(), outcome, ...(log !== null && log.length > 0 && { log }) };
		this.appended.push({ row, settle });
		const goOn = (action: () => void) => turns.run(() => enter(action));
		this.journal.append(row).then(
			() => {
				this.stored += 1;
				goOn(() => {});
			},
			(error: unknown) =>
				goOn(() => {
					throw new Halt(error instanceof Error ? error.message : String(error));
				}),
		);
	}

	private replay(): void {
		const row = this.journal.rows[this.nextRow];
		if (row === undefined) {
			this.catchUp();
			return;
		}
		this.nextRow += 1;
		const settle = this.waiting.get(row.key);
		if (settle === undefined)
			throw new Halt("the run cannot be resumed: its journal does not fit its workflow");
		this.waiting.delete(row.key);
		this.parts.watch.stopAt(row.time);
		settle(row);
	}

	private catchUp(): void {
		this.hasCaughtUp = true;
		this.parts.watch.go();
		if (!this.journal.isCancelled || this.recorded.has(CANCEL_KEY)) {
			this.startUnfinished();
			return;
		}
		this.isCancelling = true;
		this.record(CANCEL_KEY, null, () => {
			this.isCancelling = false;
			this.parts.cancel();
			this.startUnfinished();
		});
	}

	private startUnfinished(): void {
		const { unfinished } = this;
		this.unfinished = [];
		for (const work of unfinished) work();
	}
}
