import { listEmptySettings, readSettings, SettingProblem } from "@tripline/contract/settings";
import { type Log, logEmptySettings } from "@tripline/platform/log";
import type * as z from "zod";
import { toFailureResponse } from "./app.ts";

/** A wrong setting lasts until the next deployment. */
const RETRY_AFTER_SECONDS = 60;

/**
 * The service of a Worker's isolate, created on first use because the isolate's environment does not change. A Worker
 * cannot refuse to start, so an invalid setting fails every request and is logged each time.
 */
export function isolateService<Env extends object, Schema extends z.ZodObject, Service>(deps: {
	readonly environment: Schema;
	readonly log: Log;
	create(env: Env, environment: z.output<Schema>): Service;
}) {
	const { environment, log } = deps;
	let service: Service | undefined;

	return {
		getService,

		/** The service's response, or a 503 that names the invalid setting. */
		async answer(request: Request, env: Env, by: (service: Service) => Promise<Response>): Promise<Response> {
			let made: Service;
			try {
				made = getService(env);
			} catch (error) {
				if (!(error instanceof SettingProblem)) throw error;
				const { message } = error;
				return toFailureResponse(request, {
					kind: "unavailable",
					message,
					retryAfterSeconds: RETRY_AFTER_SECONDS,
				});
			}
			return by(made);
		},
	};

	/** For events other than requests: throws the `SettingProblem`. */
	function getService(env: Env): Service {
		try {
			service ??= startService(env);
			return service;
		} catch (error) {
			if (error instanceof SettingProblem) log("error", "a setting cannot be used", { error: error.message });
			throw error;
		}
	}

	function startService(env: Env): Service {
		const made = deps.create(env, readSettings(environment, env));
		logEmptySettings(log, listEmptySettings(environment, env));
		return made;
	}
}
