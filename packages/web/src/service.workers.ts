import { emptySettings, readSettings, SettingProblem } from "@tripline/contract/settings";
import { type Log, logEmptySettings } from "@tripline/platform/log";
import type * as z from "zod";
import { failureResponse } from "./app.ts";

/** Nothing gets better before somebody deploys again. */
const RETRY_AFTER_SECONDS = 60;

/**
 * The service of a Worker's isolate, made when it is first needed: the isolate's environment does not change. A Worker
 * cannot refuse to start, so a setting that cannot be used is told to every request, and each time to the log.
 */
export function isolateService<Env extends object, Schema extends z.ZodObject, Service>(deps: {
	readonly environment: Schema;
	readonly log: Log;
	create(env: Env, environment: z.output<Schema>): Service;
}) {
	const { environment, log } = deps;
	let service: Service | undefined;

	return {
		serviceOf,

		/** What the service answers, or 503 that names the setting which cannot be used. */
		async answer(request: Request, env: Env, by: (service: Service) => Promise<Response>): Promise<Response> {
			let made: Service;
			try {
				made = serviceOf(env);
			} catch (error) {
				if (!(error instanceof SettingProblem)) throw error;
				const { message } = error;
				return failureResponse(request, {
					kind: "unavailable",
					message,
					retryAfterSeconds: RETRY_AFTER_SECONDS,
				});
			}
			return by(made);
		},
	};

	/** For what answers no request: throws the `SettingProblem`. */
	function serviceOf(env: Env): Service {
		try {
			service ??= started(env);
			return service;
		} catch (error) {
			if (error instanceof SettingProblem) log("error", "a setting cannot be used", { error: error.message });
			throw error;
		}
	}

	function started(env: Env): Service {
		const made = deps.create(env, readSettings(environment, env));
		logEmptySettings(log, emptySettings(environment, env));
		return made;
	}
}
