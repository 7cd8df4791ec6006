import assert from "node:assert/strict";
import { test } from "node:test";
import { TRASH_DAYS } from "@tripline/contract/workflow-versions";
import { TRASH_DAYS as TOLD } from "../../src/pages/trash/trash-days.ts";

test("tells how long the service keeps deleted workflows", () => assert.equal(TOLD, TRASH_DAYS));
