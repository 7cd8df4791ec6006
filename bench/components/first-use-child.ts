import { flushCompileCache } from "node:module";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { CODE, nativeCall, ORDER_TEXT } from "./order.ts";

const limits = { timeoutMs: 2000, memoryBytes: 32 * 1_048_576, outputBytes: 1_048_576 };
const began = performance.now();
const sandbox = nodeSandbox();
const outcome = await sandbox.run({ code: CODE, input: ORDER_TEXT, limits }, new AbortController().signal);
const milliseconds = performance.now() - began;
if (!outcome.ok || outcome.output !== nativeCall(ORDER_TEXT)) throw new Error(JSON.stringify(outcome));
await sandbox.close();
flushCompileCache();
console.log(`first use ${milliseconds} ms, done`);
