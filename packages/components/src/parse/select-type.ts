import type { JsonObject } from "@tripline/contract/workflows";
import { describeType } from "@tripline/engine/issues";
import type { MeteredContext } from "@tripline/engine/json-schema/zod-type";
import * as z from "zod";
import { isObject } from "../schemas.ts";
import { compileSelect } from "./selection.ts";

/** Reporting more would not help anyone. */
const MAX_PROBLEMS = 20;

const Base: z.core.$constructor<z.ZodType> = z.ZodType;

/** The parameter `select`. A type of its own, because a check gets no meter, and a document may have many selectors. */
const SelectType = z.core.$constructor<z.ZodType<JsonObject>, z.core.$ZodTypeDef>(
	"SelectType",
	(type, definition) => {
		Base.init(type, definition);
		type._zod.toJSONSchema = () => ({ type: "object" });
		type._zod.parse = (payload, context) => {
			const { value, issues } = payload;
			let problems = 0;
			const report = (path: readonly string[], message: string) => {
				if (problems++ < MAX_PROBLEMS)
					issues.push({ code: "custom", path: [...path], message, input: value, inst: type });
			};
			if (isObject(value)) compileSelect(value, { report, meter: (context as MeteredContext).meter });
			else report([], `must be an object, but is ${describeType(value)}`);
			return payload;
		};
	},
);

export const createSelectType = (): z.ZodType<JsonObject> => new SelectType({ type: "custom" });
