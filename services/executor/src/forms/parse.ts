import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { chooseFieldType } from "./field-types.ts";
import { type FormConstant, type FormField, type FormItem, type FormModel, TRAP_NAME } from "./model.ts";
import { isFile, isObject, listTypes, readText, simplify } from "./schema.ts";

const MAX_FIELDS = 200;
/** Of all choices together: a browser sends one value for each that is checked. */
const MAX_OPTIONS = 800;
const MAX_NAME_LENGTH = 256;

class Undrawable extends Error {}

/** Why no form can be drawn for a workflow's input schema; null if one can. The message is a whole sentence. */
export function findFormProblem(schema: JsonObject | undefined): string | null {
	const model = parseForm(schema);
	return "problem" in model ? model.problem : null;
}

type Parsed = FormModel | { readonly problem: string };

/** A schema stays the same object while its workflow is cached. */
const parsed = new WeakMap<JsonObject, Parsed>();

/** The form of a schema that is known to compile, which bounds its size. */
export function parseForm(schema: JsonObject | undefined): Parsed {
	if (schema === undefined) return { problem: "a form needs options.input_schema" };
	const known = parsed.get(schema);
	if (known !== undefined) return known;
	const model = parseSchema(schema);
	parsed.set(schema, model);
	return model;
}

function parseSchema(schema: JsonObject): Parsed {
	try {
		return { items: new Parser(schema).parseRoot() };
	} catch (error) {
		if (error instanceof Undrawable) return { problem: error.message };
		throw error;
	}
}

class Parser {
	readonly #root: JsonObject;
	readonly #names = new Set<string>([TRAP_NAME]);
	#options = 0;

	constructor(root: JsonObject) {
		this.#root = root;
	}

	parseRoot(): FormItem[] {
		const { schema } = simplify(this.#root, this.#root);
		if (!listTypes(schema).includes("object"))
			throw new Undrawable("the input schema of a form must be an object");
		return listProperties(schema).map(([key, property, isRequired]) => {
			const { schema: found, isNullable } = simplify(property, this.#root);
			return isGroup(found)
				? this.#parseGroup(key, found, isRequired && !isNullable)
				: this.#parseItem(key, key, property, isRequired);
		});
	}

	#parseGroup(key: string, schema: JsonObject, isRequired: boolean): FormItem {
		const items = listProperties(schema).map(([inner, property, isInnerRequired]) =>
			this.#parseItem(inner, `${key}.${inner}`, property, isInnerRequired),
		);
		const label = readText(schema.title) ?? toLabel(key);
		return { kind: "group", key, label, help: readText(schema.description), isRequired, items };
	}

	#parseItem(key: string, name: string, property: Json, isRequired: boolean): FormField | FormConstant {
		const { schema, isNullable } = simplify(property, this.#root);
		const type = chooseFieldType(schema, this.#root, isRequired);
		if (schema.const !== undefined && !(typeof type === "object" && type.kind === "boolean"))
			return { kind: "constant", key, value: schema.const };
		if (typeof type === "string") throw new Undrawable(`a form cannot show the field ${name}: ${type}`);
		this.#addName(name);
		if (type.kind === "choice" || type.kind === "several") this.#addOptions(type.options.length);
		return {
			...type,
			key,
			name,
			id: `f${this.#names.size - 1}`,
			label: readText(schema.title) ?? toLabel(key),
			help: readText(schema.description),
			isRequired,
			isNullable,
			preset: schema.default,
		};
	}

	#addName(name: string): void {
		if (name === "" || name.length > MAX_NAME_LENGTH)
			throw new Undrawable(`the name of a form's field must have 1 to ${MAX_NAME_LENGTH} characters`);
		if (this.#names.has(name))
			throw new Undrawable(
				name === TRAP_NAME
					? `a form cannot have a field ${name}: the name is reserved`
					: `a form cannot have two fields ${name}`,
			);
		this.#names.add(name);
		if (this.#names.size > MAX_FIELDS + 1)
			throw new Undrawable(`a form cannot have more than ${MAX_FIELDS} fields`);
	}

	#addOptions(count: number): void {
		this.#options += count;
		if (this.#options > MAX_OPTIONS)
			throw new Undrawable(`a form cannot have more than ${MAX_OPTIONS} choices`);
	}
}

const isGroup = (schema: JsonObject): boolean =>
	schema.const === undefined &&
	schema.enum === undefined &&
	!isFile(schema) &&
	listTypes(schema).join() === "object";

/** Properties that must be left out are not part of the form. */
function listProperties(schema: JsonObject): (readonly [string, Json, boolean])[] {
	const { properties, required } = schema;
	const needed = new Set(Array.isArray(required) ? required : []);
	return Object.entries(isObject(properties) ? properties : {})
		.filter(([, property]) => property !== false)
		.map(([key, property]) => [key, property, needed.has(key)] as const);
}

/** `first_name` and `firstName` become `First name`. */
function toLabel(key: string): string {
	const words = key
		.replaceAll(
			/([a-z0-9])([A-Z])/g,
			(_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
		)
		.replaceAll(/[_-]+/g, " ")
		.trim();
	return words === "" ? key : words.slice(0, 1).toUpperCase() + words.slice(1);
}
