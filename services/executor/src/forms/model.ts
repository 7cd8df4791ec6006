import type { FileTypes } from "@tripline/contract/file-types";
import type { Json } from "@tripline/contract/json";

/** A form as it is drawn and read: the fields of an input schema in the order of its properties. */
export interface FormModel {
	readonly items: readonly FormItem[];
}

export type FormItem = FormField | FormGroup | FormConstant;

/** An object in the input: a set of fields with a legend. */
export interface FormGroup {
	readonly kind: "group";
	readonly key: string;
	readonly label: string;
	readonly help: string | null;
	/** If it is not required, it may be left out as a whole. */
	readonly isRequired: boolean;
	readonly items: readonly (FormField | FormConstant)[];
}

/** Not drawn and not sent: the input always holds this value. */
export interface FormConstant {
	readonly kind: "constant";
	readonly key: string;
	readonly value: Json;
}

export type FormField = FieldBase & FieldType;

interface FieldBase {
	/** The property's name. */
	readonly key: string;
	/** The name under which the browser sends it; below a group `group.key`. */
	readonly name: string;
	/** Of the element in the page. */
	readonly id: string;
	readonly label: string;
	readonly help: string | null;
	readonly isRequired: boolean;
	/** A required field that was left empty is null instead of missing. */
	readonly isNullable: boolean;
	/** What the field holds at first. */
	readonly preset: Json | undefined;
}

export type FieldType =
	| {
			readonly kind: "text";
			readonly input: "text" | "email" | "url" | "tel";
			readonly minLength: number | null;
			readonly maxLength: number | null;
	  }
	| { readonly kind: "long_text"; readonly minLength: number | null; readonly maxLength: number | null }
	| {
			readonly kind: "number";
			readonly isWhole: boolean;
			readonly min: number | null;
			readonly max: number | null;
			/** Null: any. */
			readonly step: number | null;
	  }
	| { readonly kind: "date" | "time" | "date_time" }
	| { readonly kind: "choice"; readonly options: readonly Option[] }
	| { readonly kind: "several"; readonly options: readonly Option[] }
	/** One element per line. */
	| { readonly kind: "lines"; readonly element: "text" | "number"; readonly isNeeded: boolean }
	/** Yes or no; `mustBeTrue` for consent. */
	| { readonly kind: "boolean"; readonly mustBeTrue: boolean }
	| {
			readonly kind: "file";
			/** Null: any. */
			readonly types: FileTypes | null;
			readonly isList: boolean;
			/** A list that must not be empty. */
			readonly isNeeded: boolean;
	  };

export interface Option {
	/** What the browser sends. */
	readonly text: string;
	readonly label: string | boolean;
	readonly value: Json;
}

export const listFields = ({ items }: FormModel): FormField[] =>
	items
		.flatMap((item) => (item.kind === "group" ? item.items : [item]))
		.filter((item): item is FormField => item.kind !== "constant");

/** The names of the fields in which files are chosen; a form without any is sent as text. */
export const listFileNames = (model: FormModel): ReadonlySet<string> =>
	new Set(listFields(model).flatMap(({ kind, name }) => (kind === "file" ? [name] : [])));

/** A field of people's forms that only programs see and fill in. */
export const TRAP_NAME = "more_about_you";
