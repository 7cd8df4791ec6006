/**
 * What the callers of a deployment and the server outside of it have seen. All of them are in one process, so one counter
 * orders everything: `sent` is taken before a call, `answered` after its answer, `at` when a call arrives outside.
 */
export interface History {
	readonly saves: Save[];
	readonly reads: Read[];
	readonly echoes: Echo[];
	readonly events: SentEvent[];
	readonly accepted: AcceptedRun[];
	readonly answers: Answer[];
	readonly outside: OutsideCall[];
	readonly kept: Kept[];
	readonly foreign: ForeignData[];
	readonly refusals: Refusal[];
	readonly exits: Exit[];
	/** Lines that the processes logged, which explain refusals. */
	readonly errors: string[];
}

/** A workflow is saved with growing markers by one writer. */
export interface Save {
	readonly tenant: string;
	readonly workflow: string;
	readonly marker: number;
	readonly sent: number;
	/** Null while nobody has said that it is saved. */
	answered: number | null;
}

export interface Read {
	readonly tenant: string;
	readonly workflow: string;
	readonly by: "read" | "trigger" | "final";
	readonly marker: number;
	readonly sent: number;
	readonly answered: number;
}

interface Echo {
	readonly tenant: string;
	readonly sent: string;
	readonly got: string;
}

interface SentEvent {
	readonly tenant: string;
	readonly id: string;
	isAcknowledged: boolean;
}

/** A run that the service has promised to bring to its end. */
export interface AcceptedRun {
	readonly kind: "steps" | "approval" | "event";
	readonly tenant: string;
	/** Its idempotency key, or the id of its event. */
	readonly subject: string;
	readonly execution: string;
	/** Null until the service says that it has ended. */
	end: { readonly status: string; readonly error: string } | null;
	/** What the service last said of a run that has not ended. */
	state?: string;
}

/** What one of several callers who answered a question was told. */
export interface Answer {
	readonly tenant: string;
	readonly subject: string;
	readonly answer: string;
	/** Unknown: a call got no clear answer, and later ones said that the question was answered. */
	readonly outcome: "accepted" | "refused" | "unknown";
}

/** A call of a run to the server outside. */
export interface OutsideCall {
	readonly at: number;
	readonly tenant: string;
	readonly purpose: "step" | "answer" | "event" | "occurrence";
	/** The key of the run, the id of the event, or the name of the workflow. */
	readonly subject: string;
	readonly execution: string;
	/** Of a step: its number. */
	readonly step: number;
	readonly stepKey: string;
	/** The answer with which the run went on, or the time of the occurrence. */
	readonly value: string;
}

/** Something that was acknowledged, and what was there when everything was over. */
export interface Kept {
	readonly kind: "entry" | "triplet" | "file" | "token";
	readonly tenant: string;
	readonly name: string;
	readonly expected: string;
	/** Undefined: not looked for yet. Null: it is not there. */
	found?: string | null;
}

export interface ForeignData {
	readonly tenant: string;
	readonly owner: string;
	readonly where: string;
	readonly text: string;
}

/** An answer that no fault explains, such as 404 for something that exists. */
interface Refusal {
	readonly tenant: string;
	readonly call: string;
	readonly status: number;
	readonly text: string;
}

/** A process that ended although nobody ended it. */
interface Exit {
	readonly process: string;
	readonly code: number | null;
	readonly signal: string | null;
	readonly stderr: string;
}

export const createHistory = (): History => ({
	saves: [],
	reads: [],
	echoes: [],
	events: [],
	accepted: [],
	answers: [],
	outside: [],
	kept: [],
	foreign: [],
	refusals: [],
	exits: [],
	errors: [],
});

let count = 0;

/** The next number of the counter by which everything is ordered. */
export const takeOrder = (): number => ++count;
