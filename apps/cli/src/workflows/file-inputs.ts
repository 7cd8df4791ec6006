import { listFileFields } from "@tripline/contract/file-values";
import type { FileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation } from "../command.ts";
import { isObject } from "../data-file.ts";
import { findLocalFile, type LocalFile } from "../files/local-file.ts";
import { sendFile, toFileValue } from "../files/send.ts";
import { findNearest } from "../nearest.ts";

const USAGE = 2;

/** The files of one property of the input. */
interface FileInput {
	readonly name: string;
	readonly files: readonly LocalFile[];
}

/** Reads `--file-input name=path` and finds the files. A repeated name stands for a list. */
export function parseFileInputs(
	io: Invocation["io"],
	given: readonly string[],
	input: JsonObject,
): FileInput[] {
	const byName = new Map<string, LocalFile[]>();
	for (const each of given) {
		const [, name = "", path = ""] = /^([^=]+)=(.+)$/s.exec(each) ?? [];
		if (name === "")
			throw new CliProblem(`--file-input ${JSON.stringify(each)} has no name or no path`, {
				code: USAGE,
				hint: "--file-input report=report.xlsx",
			});
		if (Object.hasOwn(input, name))
			throw new CliProblem(`${JSON.stringify(name)} is given by --input and by --file-input`, {
				code: USAGE,
			});
		byName.set(name, [...(byName.get(name) ?? []), findLocalFile(io, path)]);
	}
	return [...byName].map(([name, files]) => ({ name, files }));
}

/** Throws if the schema does not take these files, so that nothing is sent in vain. */
export function checkFileInputs(inputs: readonly FileInput[], schema: JsonObject | null): void {
	const properties = schema?.properties;
	if (schema === null || !isObject(properties)) return;
	const fields = listFileFields(schema);
	const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
	for (const { name, files } of inputs) {
		const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
		if (property === undefined) {
			if (isOpen || schema.patternProperties !== undefined) continue;
			throw unknownFieldProblem(
				name,
				fields.map((field) => field.name),
			);
		}
		if (!mayBeFile(property))
			throw new CliProblem(`${JSON.stringify(name)} does not take a file`, {
				hint: describeFields(fields.map((field) => field.name)),
			});
		if (files.length > 1 && !mayBeList(property))
			throw new CliProblem(`${JSON.stringify(name)} takes one file, and ${files.length} are given`);
	}
}

function unknownFieldProblem(name: string, fields: readonly string[]): CliProblem {
	const near = findNearest(name, fields);
	return new CliProblem(`${JSON.stringify(name)} is not in the workflow's input_schema`, {
		hint: near === null ? describeFields(fields) : `did you mean: --file-input ${near}=<path>`,
	});
}

const describeFields = (fields: readonly string[]): string =>
	fields.length === 0 ? "its input takes no files" : `it takes files as: ${fields.join(", ")}`;

const mayBeFile = (property: Json | undefined): boolean =>
	mayBe(property, "object") || (mayBe(property, "array") && !isListOfOthers(property));

const mayBeList = (property: Json | undefined): boolean => mayBe(property, "array");

const isListOfOthers = (property: Json | undefined): boolean =>
	isObject(property) && isObject(property.items) && !mayBe(property.items, "object");

/** Without `type` in the schema, the service decides. */
function mayBe(property: Json | undefined, type: "object" | "array"): boolean {
	if (!isObject(property) || property.type === undefined) return true;
	return property.type === type || (Array.isArray(property.type) && property.type.includes(type));
}

/** Uploads the files and returns the input with them. If one fails, those that were sent are deleted. */
export async function sendFileInputs(
	invocation: Invocation,
	executor: TenantExecutor,
	inputs: readonly FileInput[],
	schema: JsonObject | null,
): Promise<{ readonly values: JsonObject; discard(): Promise<void> }> {
	const sent: string[] = [];
	const discard = async () => {
		// The service deletes what is left when it expires.
		for (const id of sent) await executor.files.delete(id).catch(() => false);
	};
	const lists = new Set(listFileFields(schema).flatMap(({ name, isList }) => (isList ? [name] : [])));
	const values: JsonObject = {};
	try {
		for (const { name, files } of inputs) {
			const list: FileValue[] = [];
			for (const file of files) {
				invocation.progress(`uploading ${file.path}`);
				const stored = await sendFile(invocation, executor, file);
				sent.push(stored.id);
				list.push(toFileValue(stored));
			}
			const isList = list.length > 1 || lists.has(name);
			// A name such as __proto__ must become a property, as JSON.parse makes it.
			Object.defineProperty(values, name, {
				value: isList ? list : list[0],
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
		return { values, discard };
	} catch (error) {
		await discard();
		throw error;
	}
}
