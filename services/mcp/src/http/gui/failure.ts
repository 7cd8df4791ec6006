import { type Reply, reply } from "@tripline/web/route";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";

const RETRY_SECONDS = 1;
/** Somebody has to change a setting first. */
const RETRY_AFTER_MENDING_SECONDS = 60;

/** What the failure of a service behind this one is to the console; null: it is no such failure. */
export function guiFailure(error: unknown): Reply | null {
	if (error instanceof ServiceRefused) return refusal(error);
	if (error instanceof ServiceUnavailable) return away(error.message, RETRY_SECONDS);
	return null;
}

/** The refusal is passed on with all that it says. Only a credential that is refused is this server's, not the caller's. */
function refusal({ status, message, answer }: ServiceRefused): Reply {
	if (status !== 401 && status !== 403) return reply(status, { ...answer, error: message });
	return away(
		`a service behind the console refuses it (${message}): set the same STORE_INTERNAL_TOKEN for all services`,
		RETRY_AFTER_MENDING_SECONDS,
	);
}

const away = (error: string, seconds: number): Reply => ({
	status: 503,
	body: { error },
	headers: { "retry-after": String(seconds) },
});
