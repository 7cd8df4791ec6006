/** The id of the run on whose behalf a call is made. */
export const RUN_HEADER = "x-execution-id";

/** How many events led to the calling run; absent if no event started it. */
export const EVENT_DEPTH_HEADER = "x-event-depth";

/** The root of the calling run: an event, a schedule or an outside call. */
export const EVENT_ROOT_HEADER = "x-event-root";

const MAX_EVENT_DEPTH = 16;

/** The depth in a header's value, at most 16; 0 if it is not a whole number. */
export const parseEventDepth = (value: string | null): number =>
	value !== null && /^\d{1,15}$/.test(value) ? Math.min(Number(value), MAX_EVENT_DEPTH) : 0;
