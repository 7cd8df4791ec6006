/** Values come from a bounded set in the code: never a secret, a path, a host or the name of a workflow. */
export type Labels = Readonly<Record<string, string>>;

export interface Counter {
	add(count?: number): void;
}

export interface Histogram {
	/** In milliseconds. */
	observe(ms: number): void;
}

interface Named {
	/** Of a counter without `_total`. */
	readonly name: string;
	readonly help: string;
}

interface Durations extends Named {
	/** Upper bounds of the buckets in milliseconds, ascending. */
	readonly boundsMs: readonly number[];
}

interface ReadFamily {
	readonly type: "counter" | "gauge" | "info";
	readonly help: string;
}

/** A number, or one for each set of labels. */
type Reading = number | readonly (readonly [Labels, number])[];

/** Counts what a process does. Everything is kept in memory until it is scraped. */
export interface Metrics {
	/** Whether labels may name namespaces. */
	readonly namesNamespaces: boolean;
	/** A series is created once and kept by its caller, so that counting needs no lookup. */
	counter(family: Named, labels?: Labels): Counter;
	/** A histogram of durations, which is rendered in seconds. */
	durations(family: Durations, labels?: Labels): Histogram;
	/**
	 * Reads values at each scrape. A name that is left out has no value at the moment. `isShared` marks what all processes
	 * of a deployment have in common, such as rows in a database.
	 */
	read<Name extends string>(
		families: Readonly<Record<Name, ReadFamily>>,
		read: () => Partial<Record<Name, Reading>> | Promise<Partial<Record<Name, Reading>>>,
		options?: { readonly isShared?: boolean },
	): void;
	/** Never rejects: what cannot be read in time is left out and counted. */
	collect(which?: "all" | "own" | "shared"): Promise<readonly Family[]>;
}

export interface Family {
	readonly name: string;
	readonly type: "counter" | "gauge" | "info" | "histogram";
	readonly help: string;
	readonly samples: readonly Sample[];
}

/** What follows the name (`_bucket`, `_total` or nothing), the labels, and the value. */
type Sample = readonly [suffix: string, labels: Labels, value: number];

/** For requests and runs. The clock of both counts whole milliseconds. */
export const REQUEST_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000];
export const RUN_BOUNDS_MS = [...REQUEST_BOUNDS_MS, 60_000, 300_000, 3_600_000];
/** For what often takes less than a millisecond. */
export const SHORT_BOUNDS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000, 5000];

/** A scrape must not wait for a database that hangs. */
const READ_TIMEOUT_MS = 2_000;
const PROBLEMS = "tripline_scrape_problems";

interface Reader {
	readonly families: Readonly<Record<string, ReadFamily>>;
	readonly isShared: boolean;
	read(): Partial<Record<string, Reading>> | Promise<Partial<Record<string, Reading>>>;
}

interface Kept {
	readonly about: Named;
	readonly type: Family["type"];
	/** By the text of their labels. */
	readonly series: Map<string, { readonly handle: Counter | Histogram; list(): readonly Sample[] }>;
}

export function createMetrics({
	namesNamespaces = false,
	timeoutMs = READ_TIMEOUT_MS,
}: {
	readonly namesNamespaces?: boolean;
	readonly timeoutMs?: number;
} = {}): Metrics {
	const kept = new Map<string, Kept>();
	const readers: Reader[] = [];

	return {
		namesNamespaces,

		counter: (family, labels = {}) =>
			findSeries("counter", family, labels, () => {
				const cell = new Float64Array(1);
				return {
					list: () => [["_total", labels, cell[0] as number]],
					handle: {
						add(count = 1) {
							(cell[0] as number) += count;
						},
					},
				};
			}),

		durations: (family, labels = {}) =>
			findSeries("histogram", family, labels, () => {
				const { boundsMs } = family;
				const counts = new Float64Array(boundsMs.length + 1);
				const sum = new Float64Array(1);
				return {
					list: () => listBuckets(labels, boundsMs, counts, sum[0] as number),
					handle: {
						observe(ms) {
							let bucket = 0;
							while (bucket < boundsMs.length && ms > (boundsMs[bucket] as number)) bucket++;
							(counts[bucket] as number) += 1;
							// The clock may have been set back.
							if (ms > 0) (sum[0] as number) += ms;
						},
					},
				};
			}),

		read(families, read, { isShared = false } = {}) {
			readers.push({ families, read, isShared });
		},

		async collect(which = "all") {
			const chosen = readers.filter(({ isShared }) => which === "all" || isShared === (which === "shared"));
			const values = await Promise.all(chosen.map((reader) => readInTime(reader, timeoutMs)));
			const counted = which === "shared" ? [] : [...kept.values()].map(toFamily);
			const read = chosen.flatMap(({ families }, index) => listRead(families, values[index] ?? {}));
			const problems: Family = {
				name: PROBLEMS,
				type: "gauge",
				help: "Groups of values that this scrape could not read in time",
				samples: [["", {}, values.filter((value) => value === null).length]],
			};
			return [...counted, ...read, problems].filter(({ samples }) => samples.length > 0);
		},
	};

	/** The same name and labels are the same series, whoever asks for it. */
	function findSeries<Handle extends Counter | Histogram>(
		type: Family["type"],
		{ name, help }: Named,
		labels: Labels,
		create: () => { readonly handle: Handle; list(): readonly Sample[] },
	): Handle {
		const family = kept.get(name) ?? { about: { name, help }, type, series: new Map() };
		kept.set(name, family);
		const key = JSON.stringify(labels);
		const found = family.series.get(key) ?? create();
		family.series.set(key, found);
		return found.handle as Handle;
	}
}

const toFamily = ({ about, type, series }: Kept): Family => ({
	...{ name: about.name, type, help: about.help },
	samples: [...series.values()].flatMap(({ list }) => list()),
});

function listBuckets(
	labels: Labels,
	boundsMs: readonly number[],
	counts: Float64Array,
	sumMs: number,
): Sample[] {
	// Most routes are never called, and each would take a dozen lines.
	if (counts.every((each) => each === 0)) return [];
	let count = 0;
	const buckets = [...boundsMs, Number.POSITIVE_INFINITY].map((bound, index): Sample => {
		count += counts[index] as number;
		return ["_bucket", { ...labels, le: formatBound(bound / 1000) }, count];
	});
	return [...buckets, ["_sum", labels, sumMs / 1000], ["_count", labels, count]];
}

/** OpenMetrics wants a fraction; the same text in both formats makes the same series. */
function formatBound(seconds: number): string {
	if (seconds === Number.POSITIVE_INFINITY) return "+Inf";
	return Number.isInteger(seconds) ? `${seconds}.0` : String(seconds);
}

function listRead(families: Reader["families"], values: Partial<Record<string, Reading>>): Family[] {
	return Object.entries(families).flatMap(([name, { type, help }]) => {
		const value = values[name];
		if (value === undefined) return [];
		const suffix = type === "counter" ? "_total" : type === "info" ? "_info" : "";
		const all = typeof value === "number" ? [[{}, value] as const] : value;
		return [{ name, type, help, samples: all.map(([labels, each]): Sample => [suffix, labels, each]) }];
	});
}

/** Null if it failed or took too long. */
async function readInTime(
	{ read }: Reader,
	timeoutMs: number,
): Promise<Partial<Record<string, Reading>> | null> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timeUp = new Promise<null>((resolve) => {
		timer = setTimeout(resolve, timeoutMs, null);
	});
	try {
		return await Promise.race([read(), timeUp]);
	} catch {
		return null;
	} finally {
		clearTimeout(timer);
	}
}
