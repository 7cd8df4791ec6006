import { FileValue, isFileValue } from "@tripline/contract/files";
import * as z from "zod";
import type { FileReference } from "./effects.ts";

/** A parameter that is a file, such as `{{input.file}}`. Whether the run may open it is decided when it does. */
export const fileParam = () =>
	z
		.custom<FileReference>(isFileValue, "must be a file, such as {{input.file}} or the data of a download")
		.meta({ type: "object" });

export const fileOutput = () => FileValue.meta({ description: "The file" });
