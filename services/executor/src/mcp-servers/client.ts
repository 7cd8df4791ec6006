/** All that a session needs, to be loaded when the first one is opened. */
export { callTool } from "@tripline/components/mcp/call-tool";
export { connect } from "@tripline/components/mcp/connect";
export { McpSessionLost, toNodeError } from "@tripline/components/mcp/errors";
export { endSession } from "@tripline/components/mcp/exchange";
export { listTools } from "@tripline/components/mcp/list-tools";
