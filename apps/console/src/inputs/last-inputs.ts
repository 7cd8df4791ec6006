import { useSyncExternalStore } from "react";
import { type Stored, stored } from "../stored.ts";
import { compactInput } from "./json-text.ts";

const KEY = "tripline.inputs.";
const MAX_INPUTS = 10;
/** Longer inputs are probably pasted files, and browser storage is small. */
const MAX_INPUT_LENGTH = 20_000;

type Inputs = readonly string[];
const NONE: Inputs = [];
const isInputs = (value: unknown): value is Inputs =>
	Array.isArray(value) && value.every((each) => typeof each === "string");

const inputsByWorkflow = new Map<string, Stored<Inputs>>();

function getInputs(workflow: string): Stored<Inputs> {
	const known = inputsByWorkflow.get(workflow);
	if (known !== undefined) return known;
	const made = stored<Inputs>(KEY + workflow, NONE, isInputs);
	inputsByWorkflow.set(workflow, made);
	return made;
}

/** Adds an input, newest first. Inputs that differ only in formatting count as equal. */
export function addInput(inputs: Inputs, text: string): Inputs {
	const key = compactInput(text);
	if (key === "{}" || text.length > MAX_INPUT_LENGTH) return inputs;
	return [text, ...inputs.filter((each) => compactInput(each) !== key)].slice(0, MAX_INPUTS);
}

/** Recent inputs of a workflow. They are stored in this browser only: the service keeps an input only with the data of its run. */
export function useLastInputs(workflow: string): Inputs {
	const inputs = getInputs(workflow);
	return useSyncExternalStore(inputs.subscribe, inputs.get);
}

/** Call this when a run starts with the input. */
export function rememberInput(workflow: string, text: string): void {
	const inputs = getInputs(workflow);
	inputs.set(addInput(inputs.get(), text));
}

export const forgetInputs = (workflow: string): void => getInputs(workflow).set(NONE);

/** Clears the inputs of all workflows, including those not opened since the page was loaded. */
export function forgetAllInputs(storage: Storage = localStorage): void {
	for (const key of Object.keys(storage)) if (key.startsWith(KEY)) storage.removeItem(key);
	for (const inputs of inputsByWorkflow.values()) inputs.set(NONE);
}
