import * as z from "zod";

export const wholeNumber = (fallback: number, least: number, most: number) =>
	z
		.string()
		.regex(/^\d{1,12}$/, `must be a whole number from ${least} to ${most}`)
		.transform(Number)
		.refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
		.default(fallback);

export const trueOrFalse = (fallback: boolean) =>
	z
		.enum(["true", "false"], "must be true or false")
		.transform((value) => value === "true")
		.default(fallback);

export const httpUrl = z
	.url({ protocol: /^https?$/, error: "must be an http or https URL" })
	.refine(
		(value) => URL.parse(value)?.search === "" && URL.parse(value)?.hash === "",
		"must have no query or fragment",
	)
	.transform((value) => value.replace(/\/+$/, ""))
	.optional();

export const secret = z.string().min(16, "must have at least 16 characters");
