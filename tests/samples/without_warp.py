"""Never touches Warp."""
print("nothing of Warp here")
