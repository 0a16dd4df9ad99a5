import os, subprocess, sys
import anyio
from mcp import Client, StdioServerParameters

async def loop(program: str, edit: list[str]) -> None:
    async with Client(StdioServerParameters(command="warp-mcp", args=["serve"], env={**os.environ})) as client:
        async def call(tool: str, **arguments) -> dict:
            result = await client.call_tool(tool, arguments)
            return sys.exit(result.content[0].text) if result.is_error else result.structured_content
        async def measure(label: str) -> dict:
            answer = await call("measure", command=[sys.executable, program], cwd=os.getcwd(), label=label)
            while answer["status"] in ("running", "queued"):
                answer = await call("measure", run_id=answer["run_id"])
            return answer
        for fired in (await measure("before"))["fired"]:
            told = await call("explain_mechanism", mechanism=fired["mechanism"], report="before")
            print(told["where"], told["fix"])
        subprocess.run(edit, check=True)  # here a model would edit the lines that it was told
        print((await measure("after"))["answer"])
        print((await call("compare", baseline="before", candidate="after"))["answer"])

anyio.run(loop, sys.argv[1], sys.argv[2:])
