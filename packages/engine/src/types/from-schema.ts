import type { Json } from "@tripline/contract/json";
import type { Meter } from "../meter.ts";
import { toValueType } from "./from-value.ts";
import {
	ANY,
	ANY_OBJECT,
	BOOLEAN,
	listType,
	NULL,
	NUMBER,
	objectType,
	TEXT,
	type Type,
	unionType,
} from "./type.ts";

interface Schema {
	readonly [keyword: string]: Json | undefined;
}

/** Parts of a schema that are read; what is beyond counts as open. */
const MAX_PARTS = 1_000;
const MAX_DEPTH = 12;
const UNITS_PER_PART = 10;

const FILE = objectType({ $file: TEXT, name: TEXT, type: TEXT, size: NUMBER });

/** What a JSON Schema excludes. Keywords that are not understood exclude nothing. */
export const toSchemaType = (schema: Json, meter: Meter): Type =>
	new SchemaReader(schema, meter).read(schema, 0);

class SchemaReader {
	readonly #root: Json;
	readonly #meter: Meter;
	#partsLeft = MAX_PARTS;

	constructor(root: Json, meter: Meter) {
		this.#root = root;
		this.#meter = meter;
	}

	read(schema: Json | undefined, depth: number): Type {
		if (!isSchema(schema) || depth > MAX_DEPTH || --this.#partsLeft < 0) return ANY;
		this.#meter.spend(UNITS_PER_PART);
		const type = this.#readAlone(schema, depth);
		return schema.nullable === true ? unionType([type, NULL]) : type;
	}

	#readAlone(schema: Schema, depth: number): Type {
		if (typeof schema.$ref === "string") return this.read(this.#resolve(schema.$ref), depth + 1);
		if (schema.const !== undefined) return toValueType(schema.const, this.#meter);
		if (Array.isArray(schema.enum))
			return unionType(schema.enum.map((value) => toValueType(value, this.#meter)));
		if (schema.type !== undefined) return this.#readKinds(schema, depth);
		if (schema.format === "file") return FILE;
		const alternatives = schema.anyOf ?? schema.oneOf;
		if (Array.isArray(alternatives))
			return unionType(alternatives.map((alternative) => this.read(alternative, depth + 1)));
		return ANY;
	}

	#readKinds(schema: Schema, depth: number): Type {
		const kinds = Array.isArray(schema.type) ? schema.type : [schema.type as Json];
		return unionType(kinds.map((kind) => this.#readKind(kind, schema, depth)));
	}

	#readKind(kind: Json, schema: Schema, depth: number): Type {
		switch (kind) {
			case "string":
				return TEXT;
			case "number":
			case "integer":
				return NUMBER;
			case "boolean":
				return BOOLEAN;
			case "null":
				return NULL;
			case "array":
				return listType(schema.prefixItems === undefined ? this.read(schema.items, depth + 1) : ANY);
			case "object":
				return schema.format === "file" ? FILE : this.#readObject(schema, depth);
			default:
				return ANY;
		}
	}

	#readObject(schema: Schema, depth: number): Type {
		const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
		const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined;
		if (properties.length > this.#partsLeft) return ANY_OBJECT;
		const fields = new Map(properties.map(([name, field]) => [name, this.read(field, depth + 1)]));
		const rest = schema.patternProperties === undefined ? schema.additionalProperties : undefined;
		return { kind: "object", fields, others: isClosed ? null : this.read(rest, depth + 1) };
	}

	/** Only `#` and references to definitions of the same schema; others are open. */
	#resolve(reference: string): Json | undefined {
		if (!reference.startsWith("#")) return undefined;
		let value: Json | undefined = this.#root;
		for (const part of reference.split("/").slice(1)) {
			const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
			if (!isSchema(value) || !Object.hasOwn(value, name)) return undefined;
			value = value[name];
		}
		return value;
	}
}

const isSchema = (value: Json | undefined): value is { [keyword: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);
