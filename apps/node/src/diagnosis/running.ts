import { ServiceStatus } from "@tripline/contract/status";
import type { Settings } from "../settings.ts";
import { type Check, fail, findReason, ok, warn } from "./check.ts";

const TIMEOUT_MS = 5000;

/** What the service on this machine says of itself, such as mailboxes that cannot be read. */
export async function checkRunning(settings: Settings, url: string): Promise<Check[]> {
	const name = "service";
	const token = settings.STORE_INTERNAL_TOKEN ?? settings.SERVICE_ACCESS_TOKEN;
	// Without the token of an internal caller, a multi-tenant service expects a partner key.
	if (settings.MULTI_TENANT && settings.STORE_INTERNAL_TOKEN === undefined) return [];
	try {
		const response = await fetch(`${url}/status`, {
			headers: {
				"x-service-api-key": settings.NAMESPACE,
				...(token !== undefined && { authorization: `Bearer ${token}` }),
			},
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		if (response.status === 401)
			return [
				fail(
					name,
					"the service does not accept the token of these settings",
					"run this in the folder and with the environment of the service, or restart it with these settings",
				),
			];
		const status = ServiceStatus.safeParse(await response.json());
		if (!status.success)
			return [
				warn(name, `it answers ${response.status}, as another version may`, "restart it with this version"),
			];
		const { version, attention } = status.data;
		if (attention.length === 0) return [ok(name, `version ${version} runs, and nothing needs attention`)];
		return attention.map(({ level, code, message }) =>
			(level === "problem" ? fail : warn)(
				name,
				message,
				code === "trigger" ? "see tripline triggers" : "see tripline status",
			),
		);
	} catch (error) {
		return [fail(name, `its status cannot be read (${findReason(error)})`, "see its log")];
	}
}
