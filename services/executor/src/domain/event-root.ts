import { uuidTimePrefix } from "@tripline/contract/ids";

const DAY_MS = 24 * 60 * 60_000;
/** Allowed clock difference between two processes. */
const MAX_AHEAD_MS = 60_000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether runs are still counted by this root. Its count expires after a day, by the time in the id. */
export const isCountedRoot = (id: string, now: number): boolean =>
	UUID_V7.test(id) && id > uuidTimePrefix(now - DAY_MS) && id < uuidTimePrefix(now + MAX_AHEAD_MS);
