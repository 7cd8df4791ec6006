import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { CliProblem } from "./command.ts";
import { needed, type SettingName } from "./config.ts";
import type { Io } from "./io.ts";

const UNAUTHORIZED = 401;

/** What a service's failure means to who called it; null: it is no failure of a service. */
export function serviceProblem(error: unknown, io: Io): CliProblem | null {
	if (error instanceof ServiceRefused) return refusal(error);
	return error instanceof ServiceUnavailable ? outage(error, io) : null;
}

function refusal({ status, message, issues }: ServiceRefused): CliProblem {
	if (status === UNAUTHORIZED) return new CliProblem(message, { hint: accessHint(message) });
	if (issues.length === 0) return new CliProblem(message);
	const said = issues.map(({ path, message: what }) => `${path} ${what}`.trim());
	return new CliProblem(message, { hint: said.join("\n  ") });
}

function accessHint(message: string): string {
	if (message.includes("partner key"))
		return "this service has many tenants: set NAMESPACE to your partner key, in the environment or in .env";
	return message.startsWith("not signed")
		? "run another workflow, or send the request signed"
		: "set SERVICE_ACCESS_TOKEN in the environment or in .env";
}

function outage(error: ServiceUnavailable, io: Io): CliProblem {
	const [who, setting] = calledBy(error);
	if (error.cause === undefined) return new CliProblem(error.message, { hint: "try again in a moment" });
	const hint = `start it with: tripline serve, or set its address: tripline config set ${setting} <url>`;
	return new CliProblem(`the ${who} at ${needed(io, setting)} does not answer`, { hint });
}

const calledBy = ({ name }: ServiceUnavailable): [string, SettingName] =>
	name.startsWith("Registry") ? ["registry", "registry_url"] : ["executor", "base_url"];
