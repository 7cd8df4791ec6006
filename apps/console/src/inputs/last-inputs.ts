import { useSyncExternalStore } from "react";
import { type Stored, stored } from "../stored.ts";
import { compacted } from "./json-text.ts";

const KEY = "tripline.inputs.";
const MOST = 10;
/** Longer inputs are probably pasted files, and browser storage is small. */
const MOST_CHARACTERS = 20_000;

type Inputs = readonly string[];
const NONE: Inputs = [];
const isInputs = (value: unknown): value is Inputs =>
	Array.isArray(value) && value.every((each) => typeof each === "string");

const opened = new Map<string, Stored<Inputs>>();

function inputsOf(workflow: string): Stored<Inputs> {
	const known = opened.get(workflow);
	if (known !== undefined) return known;
	const made = stored<Inputs>(KEY + workflow, NONE, isInputs);
	opened.set(workflow, made);
	return made;
}

/** Adds an input, newest first. Inputs that differ only in formatting count as equal. */
export function withInput(inputs: Inputs, text: string): Inputs {
	const key = compacted(text);
	if (key === "{}" || text.length > MOST_CHARACTERS) return inputs;
	return [text, ...inputs.filter((each) => compacted(each) !== key)].slice(0, MOST);
}

/** Recent inputs of a workflow. They are stored in this browser only, because the service does not store inputs. */
export function useLastInputs(workflow: string): Inputs {
	const inputs = inputsOf(workflow);
	return useSyncExternalStore(inputs.subscribe, inputs.get);
}

/** Call this when a run starts with the input. */
export function rememberInput(workflow: string, text: string): void {
	const inputs = inputsOf(workflow);
	inputs.set(withInput(inputs.get(), text));
}

export const forgetInputs = (workflow: string): void => inputsOf(workflow).set(NONE);

/** Clears the inputs of all workflows, including those not opened since the page was loaded. */
export function forgetAllInputs(storage: Storage = localStorage): void {
	for (const key of Object.keys(storage)) if (key.startsWith(KEY)) storage.removeItem(key);
	for (const inputs of opened.values()) inputs.set(NONE);
}
