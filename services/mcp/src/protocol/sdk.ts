/** Of the protocol's SDK what is used: large, so that it is loaded when it is needed. */
export { createMcpHandler, Server } from "@modelcontextprotocol/server";
