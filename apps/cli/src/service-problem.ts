import { relative } from "node:path";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { CliProblem } from "./command.ts";
import { accessTokenVariable, environmentPath, readSecret, requireSetting } from "./config.ts";
import type { Io } from "./io.ts";
import { toServiceVariable } from "./named-service.ts";
import type { SettingName } from "./settings.ts";

const UNAUTHORIZED = 401;
const TOO_LARGE = 413;

/** Turns a service's failure into a problem with a hint; null for any other error. */
export function toServiceProblem(error: unknown, io: Io): CliProblem | null {
	if (error instanceof ServiceRefused) return toRefusal(error, io);
	return error instanceof ServiceUnavailable ? toOutage(error, io) : null;
}

function toRefusal({ status, message, issues }: ServiceRefused, io: Io): CliProblem {
	if (status === UNAUTHORIZED) return toAccessProblem(message, io);
	if (status === TOO_LARGE)
		return new CliProblem(`too large for the service: ${message}`, {
			hint: "make it smaller; the service's MAX_BODY_BYTES is the limit",
		});
	if (issues.length === 0) return new CliProblem(message);
	const said = issues.map(({ path, message: what }) => `${path} ${what}`.trim());
	return new CliProblem(message, { hint: said.join("\n  ") });
}

function toAccessProblem(message: string, io: Io): CliProblem {
	if (message.includes("partner key"))
		return new CliProblem(message, {
			hint: `this service is multi-tenant: set ${toServiceVariable("NAMESPACE", io.service)} to your partner key, in the environment or in .env`,
		});
	if (message.startsWith("not signed"))
		return new CliProblem(message, {
			hint: "only its sender can sign; run the document instead, which needs no signature: tripline run --file <path>",
		});
	const service = `the service at ${requireSetting(io, "base_url")}`;
	const variable = accessTokenVariable(io);
	return readSecret(io, variable) === undefined
		? new CliProblem(`${service} needs an access token`, {
				hint: `set ${variable} to the service's token, in the environment or in .env`,
			})
		: new CliProblem(`${service} rejected the access token`, {
				hint: `${variable} in ${io.env[variable] ? "the environment" : relative(io.cwd, environmentPath(io))} is not the service's token: correct it`,
			});
}

function toOutage(error: ServiceUnavailable, io: Io): CliProblem {
	const [who, setting] = identifyService(error);
	if (error.cause === undefined) return new CliProblem(error.message, { hint: "try again in a moment" });
	const address = requireSetting(io, setting);
	return new CliProblem(`the ${who} at ${address} does not answer`, {
		hint: buildUnreachableHint(address, setting),
	});
}

/** A service on this machine may not have been started; a remote one cannot be started from here. */
export function buildUnreachableHint(address: string, setting: SettingName): string {
	return isOnThisMachine(address)
		? `start it with: tripline serve, or set its address: tripline config set ${setting} <url>`
		: `check the network and where the address comes from: tripline config get ${setting} --where`;
}

export const isOnThisMachine = (address: string): boolean =>
	/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);

const identifyService = ({ name }: ServiceUnavailable): [string, SettingName] =>
	name.startsWith("Registry") ? ["registry", "registry_url"] : ["executor", "base_url"];
