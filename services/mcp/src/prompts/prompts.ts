import type { Prompt } from "../protocol/surface.ts";
import { debugLastFailure } from "./debug-last-failure.ts";
import { writeWorkflow } from "./write-workflow.ts";

/** The prompts that users can start an assistant with. */
export const prompts: readonly Prompt[] = [writeWorkflow, debugLastFailure];
