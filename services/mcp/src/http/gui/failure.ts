import { type Reply, reply } from "@tripline/web/route";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";

const RETRY_SECONDS = 1;
/** Longer, because a setting has to be changed first. */
const RETRY_AFTER_FIX_SECONDS = 60;

/** Turns a failed call to an internal service into the console's error; null: another kind of error. */
export function toGuiFailure(error: unknown): Reply | null {
	if (error instanceof ServiceRefused) return passOnRejection(error);
	if (error instanceof ServiceUnavailable) return replyUnavailable(error.message, RETRY_SECONDS);
	return null;
}

/** Passes a rejection on unchanged, except for 401 and 403: those concern this server's credential, not the caller's. */
function passOnRejection({ status, message, answer }: ServiceRefused): Reply {
	if (status !== 401 && status !== 403) return reply(status, { ...answer, error: message });
	return replyUnavailable(
		`an internal service rejected this server's credential (${message}): set the same STORE_INTERNAL_TOKEN for all services`,
		RETRY_AFTER_FIX_SECONDS,
	);
}

const replyUnavailable = (error: string, seconds: number): Reply => ({
	status: 503,
	body: { error },
	headers: { "retry-after": String(seconds) },
});
