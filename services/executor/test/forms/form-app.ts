import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import type { Clock } from "@tripline/platform/clock";
import { platformTurns } from "@tripline/platform/turns";
import { type App, createApp } from "@tripline/web/app";
import { type FormRun, type FormTarget, formRoutes } from "../../src/http/forms.ts";
import { rateLimit } from "../../src/http/rate-limit.ts";
import { Upload } from "../../src/http/upload.ts";
import { type MemoryStoredFiles, memoryStoredFiles } from "../memory-stored-files.ts";

export interface FormApp extends App {
	/** The inputs of all runs. */
	readonly inputs: JsonObject[];
	readonly files: MemoryStoredFiles;
}

interface FormAppDeps {
	readonly clock: Clock;
	readonly forms: Readonly<Record<string, Partial<FormTarget>>>;
	readonly run?: (input: JsonObject) => Partial<FormRun>;
	readonly authorize?: () => void;
}

/** An app with the forms of the namespace `default`, whose runs only record their inputs. */
export function createFormApp({
	clock,
	forms,
	run = () => ({}),
	authorize = () => {},
}: FormAppDeps): FormApp {
	const inputs: JsonObject[] = [];
	const files = memoryStoredFiles();
	const app = createApp({
		title: "Forms",
		version: "0",
		clock,
		log: () => {},
		maxBodyBytes: 64 * 1024,
		authenticate: () => null,
		ready: async () => true,
		routes: formRoutes<null, FormTarget>({
			maxBodyBytes: 64 * 1024,
			turns: platformTurns,
			formRate: rateLimit({ perMinute: 30, clock }),
			getOrigin: (request) => new URL(request.url).origin,
			async findForm(namespace, name) {
				const target = namespace === "default" && Object.hasOwn(forms, name) ? forms[name] : undefined;
				return target === undefined
					? null
					: { workflow: name, form: {}, schema: { type: "object" }, maxFilesBytes: 1024 * 1024, ...target };
			},
			authorize: async () => authorize(),
			async checkInput({ schema = {} }, input) {
				const check = compileInputCheck(schema);
				if (typeof check !== "function") throw new Error(check.problem);
				return check(input);
			},
			startUpload: ({ maxFilesBytes }) =>
				new Upload(files, { namespace: "default" }, { executionId: "run-1", maxBytes: maxFilesBytes }),
			async run(_request, _target, input, upload) {
				inputs.push(input);
				upload?.setRun();
				return { executionId: "run-1", status: "success", reply: null, ...run(input) };
			},
			toFailure: () => null,
		}),
	});
	return { ...app, inputs, files };
}
