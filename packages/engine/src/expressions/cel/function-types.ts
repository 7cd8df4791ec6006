import {
	ANY,
	ANY_LIST,
	ANY_OBJECT,
	BOOLEAN,
	listType,
	NUMBER,
	TEXT,
	type Type,
	unionType,
} from "../../types/type.ts";

interface FunctionType {
	/** Of the first argument or the receiver; anything else fails. */
	readonly takes: Type;
	readonly gives: Type;
}

const toType = (takes: Type, gives: Type): FunctionType => ({ takes, gives });

const SIZED = unionType([TEXT, ANY_LIST, ANY_OBJECT]);

/** Functions that are not listed take and return anything. */
export const FUNCTION_TYPES: ReadonlyMap<string, FunctionType> = new Map(
	Object.entries({
		size: toType(SIZED, NUMBER),
		string: toType(unionType([TEXT, NUMBER, BOOLEAN]), TEXT),
		int: toType(unionType([TEXT, NUMBER]), NUMBER),
		double: toType(unionType([TEXT, NUMBER]), NUMBER),
		bool: toType(unionType([TEXT, BOOLEAN]), BOOLEAN),
		round: toType(NUMBER, NUMBER),
		timestamp: toType(unionType([TEXT, NUMBER]), ANY),
		duration: toType(TEXT, ANY),
		type: toType(ANY, TEXT),
	}),
);

const TEXT_METHODS: Readonly<Record<string, Type>> = {
	contains: BOOLEAN,
	startsWith: BOOLEAN,
	endsWith: BOOLEAN,
	indexOf: NUMBER,
	lastIndexOf: NUMBER,
	lower: TEXT,
	upper: TEXT,
	lowerAscii: TEXT,
	upperAscii: TEXT,
	trim: TEXT,
	substring: TEXT,
	replace: TEXT,
	split: listType(TEXT),
};

export const METHOD_TYPES: ReadonlyMap<string, FunctionType> = new Map([
	["size", toType(SIZED, NUMBER)],
	["join", toType(ANY_LIST, TEXT)],
	...Object.entries(TEXT_METHODS).map(([name, gives]): [string, FunctionType] => [name, toType(TEXT, gives)]),
]);
