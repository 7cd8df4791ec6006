import { CliProblem } from "./command.ts";
import type { SettingName } from "./settings.ts";

/** The settings of a service that has a name in a config file, under `services`. */
type NamedService = Readonly<Partial<Record<SettingName, string>>>;

const PER_SERVICE: readonly SettingName[] = ["base_url", "namespace"];

/** Other settings are the same for all services. */
export const isPerService = (name: SettingName): boolean => PER_SERVICE.includes(name);

/** `SERVICE_BASE_URL_STAGING` for the service `staging`. */
export const toServiceVariable = (variable: string, service: string | undefined): string =>
	service === undefined ? variable : `${variable}_${service.toUpperCase().replaceAll("-", "_")}`;

export const isServiceName = (name: string): boolean => /^[a-z][a-z0-9_-]{0,63}$/i.test(name);

/** What a config file says about a service; nothing if it does not name it. */
export function readNamedService(settings: object, name: string, path: string): NamedService {
	const { services = {} } = settings as { readonly services?: unknown };
	if (!isObject(services)) throw badServices(path, "services must be an object of names and settings");
	const service = Object.hasOwn(services, name) ? services[name] : {};
	if (!isObject(service)) throw badServices(path, `services.${name} must be an object`);
	for (const [setting, value] of Object.entries(service)) {
		if (!PER_SERVICE.some((each) => each === setting))
			throw badServices(path, `services.${name}: ${JSON.stringify(setting)} is not a setting of a service`);
		if (typeof value !== "string") throw badServices(path, `services.${name}.${setting} must be a string`);
	}
	return service as NamedService;
}

const badServices = (path: string, message: string): CliProblem =>
	new CliProblem(`${path}: ${message}`, {
		hint: `write it as {"services": {"staging": {"base_url": "https://...", "namespace": "..."}}}`,
	});

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
