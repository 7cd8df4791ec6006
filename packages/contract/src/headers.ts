/** A call made on behalf of a run carries the run's id. */
export const RUN_HEADER = "x-execution-id";

/** How many events led to the run that calls; a run that no event started sends none. */
export const EVENT_DEPTH_HEADER = "x-event-depth";

/** What the run that calls descends from: an event, a schedule or a call from outside. */
export const EVENT_ROOT_HEADER = "x-event-root";

const MOST = 16;

/** The depth that a header's value says: a whole number from 0 to 16, 0 for anything else. */
export const eventDepth = (value: string | null): number =>
	value !== null && /^\d{1,15}$/.test(value) ? Math.min(Number(value), MOST) : 0;
